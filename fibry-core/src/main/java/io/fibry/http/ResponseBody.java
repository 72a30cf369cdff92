package io.fibry.http;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;

/** The body of a response, written in pieces. The write timeout applies to each piece. For one thread at a time. */
final class ResponseBody extends FilterOutputStream {

    /** In bytes. Small enough to detect the progress of a slow client, large enough to cost little. */
    static final int PIECE = 16 * 1024;

    private final ClientDeadline deadline;
    private boolean used;
    private boolean broken;

    ResponseBody(OutputStream out, ClientDeadline deadline) {
        super(out);
        this.deadline = deadline;
    }

    /** Whether this stream or the head of the response has been used. */
    boolean isUsed() {
        return used;
    }

    @FunctionalInterface
    interface Step {
        void run() throws IOException;
    }

    @Override
    public void write(int b) throws IOException {
        timed(() -> out.write(b));
    }

    @Override
    public void write(byte[] bytes, int offset, int count) throws IOException {
        int done = 0;
        while (count - done > PIECE) {
            writePiece(bytes, offset + done, PIECE);
            done += PIECE;
        }
        writePiece(bytes, offset + done, count - done);
    }

    private void writePiece(byte[] bytes, int offset, int count) throws IOException {
        timed(() -> out.write(bytes, offset, count));
    }

    @Override
    public void flush() throws IOException {
        timed(out::flush);
    }

    /** Ends the body. This also reads the rest of the request. */
    @Override
    public void close() throws IOException {
        if (broken) { // the provider may treat another close as a regular end
            throw new ClientException(503, "the response is incomplete");
        }
        try {
            timed(out::close);
        } catch (IndexOutOfBoundsException e) {
            throw RequestBody.badChunk(e);
        }
    }

    /** Sends the head. This may close the stream, if the response has no body. */
    void sendHead(Step step) throws IOException {
        used = true;
        try {
            watched(step);
        } catch (ClientException e) {
            broken = true;
            throw e;
        }
    }

    private void timed(Step step) throws IOException {
        used = true;
        broken = true; // until the step has succeeded
        watched(step);
        broken = false;
    }

    private void watched(Step step) throws ClientException {
        var piece = deadline.isWaiting() ? null : deadline.beginWrite();
        boolean late;
        try {
            step.run();
        } catch (IOException e) {
            throw new ClientException(503, "the response was not accepted: " + e, e);
        } finally {
            late = deadline.end(piece);
        }
        if (late) {
            throw new ClientException(503, "the client has not accepted the response in time");
        }
    }
}
