package io.fibry.http;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;

/** The body of a response, written in pieces, each of which the client has to take in time. For one thread at a time. */
final class ResponseBody extends FilterOutputStream {

    /** Small enough for a slow client to be seen to move, large enough not to matter. */
    static final int PIECE = 16 * 1024;

    private final ClientDeadline deadline;
    private boolean used;
    private boolean broken;

    ResponseBody(OutputStream out, ClientDeadline deadline) {
        super(out);
        this.deadline = deadline;
    }

    /** Whether anything has been done with it. */
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

    /** This also reads what is left of the request. */
    @Override
    public void close() throws IOException {
        if (broken) { // the stream below may take a second close for a good end
            throw new ClientException(503, "the response broke off");
        }
        try {
            timed(out::close);
        } catch (IndexOutOfBoundsException e) {
            throw RequestBody.badChunk(e);
        }
    }

    /** Sends the head, which may close this stream, because some heads are the whole response. */
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
        broken = true; // until this has gone well
        watched(step);
        broken = false;
    }

    private void watched(Step step) throws ClientException {
        var piece = deadline.isWaiting() ? null : deadline.beginWrite();
        boolean late;
        try {
            step.run();
        } catch (IOException e) {
            throw new ClientException(503, "the response was not taken: " + e, e);
        } finally {
            late = deadline.end(piece);
        }
        if (late) {
            throw new ClientException(503, "the client has not taken the response in time");
        }
    }
}
