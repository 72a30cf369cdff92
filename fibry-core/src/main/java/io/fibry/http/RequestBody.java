package io.fibry.http;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;

/**
 * The body of a request. It throws if the body exceeds the limit or the request timeout. For one thread at a time.
 *
 * <p><b>Trailers.</b> At the end of each chunk, the JDK's server expects an empty line. If something else follows the
 * last chunk, which is empty, it throws, and from then on says that the body is at its end: this is where trailers
 * begin. They are not read, and the connection ends after the response. At the end of any other chunk, the same
 * exception means a malformed body. There the JDK has stored the bytes of that chunk before it throws, and would search
 * for another chunk: so a random mark, stored before, is no longer where it was. If the chunk happens to begin with the
 * mark (one in 256), a malformed body may lose that chunk; no other request can begin in it.
 */
final class RequestBody extends FilterInputStream {

    /** The message of the JDK, if something else than an empty line ends a chunk. */
    private static final String BAD_END = "invalid chunk end";

    private final ClientDeadline deadline;
    private final long requestDeadline;
    private final long limit;
    private final boolean chunked;
    private final ExchangeMonitor monitor;
    private long length;

    @FunctionalInterface
    private interface Step {
        int run() throws IOException;
    }

    /** The request timeout of the body begins now. */
    RequestBody(InputStream in, ClientDeadline deadline, long limit, boolean chunked, ExchangeMonitor monitor) {
        super(in);
        this.deadline = deadline;
        this.requestDeadline = deadline.requestDeadline();
        this.limit = limit;
        this.chunked = chunked;
        this.monitor = monitor;
    }

    @Override
    public int read() throws IOException {
        var one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] bytes, int offset, int count) throws IOException {
        Objects.checkFromIndexSize(offset, count, bytes.length);
        if (length > limit) {
            throw tooLong();
        }
        if (count == 0) {
            return 0; // the JDK would read the size of the next chunk
        }
        int n = timed(() -> chunked ? readToTrailers(bytes, offset, count) : in.read(bytes, offset, count));
        if (n > 0) {
            length += n;
            monitor.received(n);
            if (length > limit) {
                throw tooLong();
            }
        }
        return n;
    }

    private int readToTrailers(byte[] bytes, int offset, int count) throws IOException {
        byte before = bytes[offset];
        byte mark = (byte) ThreadLocalRandom.current().nextInt();
        bytes[offset] = mark;
        int n;
        try {
            n = in.read(bytes, offset, count);
        } catch (IOException e) {
            if (!BAD_END.equals(e.getMessage()) || bytes[offset] != mark || in.read() >= 0) {
                throw e;
            }
            n = -1;
        }
        if (n < 0) {
            bytes[offset] = before; // at the end of a stream, a read leaves the array unchanged
        }
        return n;
    }

    /** For the exception of the JDK after a chunk size that overflows to a negative number. */
    static ClientException badChunk(IndexOutOfBoundsException e) {
        return new ClientException(400, "the size of a chunk is out of range", e);
    }

    private ClientException tooLong() {
        return new ClientException(413, "the body is longer than " + limit + " bytes");
    }

    /** Some providers read the rest of the body here, so that the connection can be reused. */
    @Override
    public void close() throws IOException {
        timed(() -> {
            in.close();
            return 0;
        });
    }

    private int timed(Step step) throws IOException {
        var piece = deadline.beginRead(requestDeadline);
        int n;
        try {
            n = step.run();
        } catch (IOException e) {
            boolean late = deadline.end(piece);
            throw new ClientException(
                    late ? 408 : 400,
                    late ? "the client has not sent the body in time" : "the body could not be read: " + e,
                    e);
        } catch (IndexOutOfBoundsException e) {
            deadline.end(piece);
            throw badChunk(e);
        }
        if (deadline.end(piece)) {
            throw new ClientException(408, "the client has not sent the body in time");
        }
        return n;
    }

    @Override
    public long skip(long n) throws IOException {
        long left = n;
        var buffer = new byte[Math.clamp(n, 0, 8192)];
        while (left > 0) {
            int read = read(buffer, 0, (int) Math.min(left, buffer.length));
            if (read < 0) {
                break;
            }
            left -= read;
        }
        return n - left;
    }
}
