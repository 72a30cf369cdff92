package io.fibry.http;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;

/** The body of a response, written in pieces. The write timeout applies to each piece. For one thread at a time. */
final class ResponseBody extends FilterOutputStream {

    /** In bytes. Small enough to detect the progress of a slow client, large enough to cost little. */
    static final int PIECE = 16 * 1024;

    private static final long UNKNOWN = -1;

    private final ClientDeadline deadline;
    private long announced = UNKNOWN;
    private long written;
    private boolean tooShort;
    private boolean used;
    private boolean broken;
    private boolean discards;
    private long sent;

    ResponseBody(OutputStream out, ClientDeadline deadline) {
        super(out);
        this.deadline = deadline;
    }

    /** The number of bytes that have been written. */
    long sent() {
        return sent;
    }

    /** Whether this stream or the head of the response has been used. */
    boolean isUsed() {
        return used;
    }

    /** The handler will write exactly so many bytes. */
    void announce(long bytes) {
        announced = bytes;
    }

    /** The response has no body: whatever the handler writes is discarded. */
    void discard() {
        discards = true;
    }

    @FunctionalInterface
    interface Step {
        void run() throws IOException;
    }

    @Override
    public void write(int b) throws IOException {
        if (discards) {
            return;
        }
        count(1);
        timed(() -> out.write(b));
        sent++;
    }

    @Override
    public void write(byte[] bytes, int offset, int count) throws IOException {
        if (discards) {
            return;
        }
        count(count);
        int done = 0;
        while (count - done > PIECE) {
            writePiece(bytes, offset + done, PIECE);
            done += PIECE;
        }
        writePiece(bytes, offset + done, count - done);
    }

    private void count(int bytes) throws WrongLengthException {
        if (announced != UNKNOWN && written + bytes > announced) {
            throw new WrongLengthException(
                    "has written more than the " + announced + " bytes that the response may have");
        }
        written += bytes;
    }

    private void writePiece(byte[] bytes, int offset, int count) throws IOException {
        timed(() -> out.write(bytes, offset, count));
        sent += count;
    }

    @Override
    public void flush() throws IOException {
        timed(out::flush);
    }

    /**
     * Ends the body. This also reads the rest of the request.
     *
     * @throws WrongLengthException if the handler has written less than it has announced; so does each further call
     */
    @Override
    public void close() throws IOException {
        if (!broken) { // else the provider may treat another close as a regular end
            tooShort = written < announced;
            closeOnce();
        }
        if (tooShort) {
            throw tooShort();
        }
        if (broken) {
            throw new ClientException(503, "the response is incomplete");
        }
    }

    private void closeOnce() throws IOException {
        try {
            timed(out::close);
        } catch (IndexOutOfBoundsException e) {
            throw RequestBody.badChunk(e);
        } catch (ClientException e) {
            if (!tooShort) {
                throw e;
            }
            var wrong = tooShort(); // the provider notices it too, and the client is not to blame
            wrong.addSuppressed(e);
            throw wrong;
        }
    }

    private WrongLengthException tooShort() {
        return new WrongLengthException("has written only " + written + " of " + announced + " bytes");
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
        var piece = deadline.isWriting() ? null : deadline.beginWrite();
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
