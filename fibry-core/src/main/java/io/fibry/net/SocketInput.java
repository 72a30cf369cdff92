package io.fibry.net;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Objects;

/**
 * The buffered input of a socket, without a lock: handlers read byte by byte, and {@code BufferedInputStream} would
 * lock for each byte. For one thread at a time. The first read that needs a buffer creates it. The buffer is small,
 * since most connections are waiting most of the time. When a read fills it, a large one replaces it. Large reads
 * bypass it.
 *
 * <p>A loop that waits for a certain byte and ignores the end of the input would spin forever once the client has
 * disconnected. The stream therefore returns -1 at its end a thousand times, and then throws.
 */
final class SocketInput extends InputStream {

    private static final int SMALL = 128;
    private static final int LARGE = 4096;
    private static final int MAX_READS_AT_END = 1000;
    private static final byte[] NONE = new byte[0];

    private final ConnectionActivity activity;
    private InputStream in;
    private byte[] buffer = NONE;
    private int position;
    private int limit;
    private int readsAtEnd;
    private boolean ended;

    SocketInput(ConnectionActivity activity) {
        this.activity = activity;
        in = InputStream.nullInputStream();
    }

    /** Sets the stream to read from. */
    void attach(InputStream source) {
        in = source;
    }

    @Override
    public int read() throws IOException {
        if (position >= limit && !fill()) {
            return -1;
        }
        int b = buffer[position++] & 0xff;
        recordEnd();
        return b;
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, target.length);
        if (length == 0) {
            return 0;
        }
        if (position >= limit) {
            if (length >= LARGE) {
                return receive(target, offset, length);
            }
            if (!fill()) {
                return -1;
            }
        }
        int n = Math.min(length, limit - position);
        System.arraycopy(buffer, position, target, offset, n);
        position += n;
        recordEnd();
        return n;
    }

    @Override
    public long skip(long wanted) throws IOException {
        if (wanted <= 0 || (position >= limit && !fill())) {
            return 0;
        }
        int n = (int) Math.min(wanted, limit - position);
        position += n;
        recordEnd();
        return n;
    }

    /** A read waits only if the buffer is empty, so it suffices to record that its last byte has been read. */
    private void recordEnd() {
        if (position >= limit) {
            activity.endBuffer();
        }
    }

    @Override
    public int available() throws IOException {
        return limit - position + in.available();
    }

    /** Closes the socket and discards the buffered bytes. */
    @Override
    public void close() throws IOException {
        position = limit;
        in.close();
    }

    /**
     * Whether the end of the socket's input has been read. False if a stop has only prevented a read from waiting: the
     * client may still send.
     */
    boolean hasEnded() {
        return ended;
    }

    /** Whether there are bytes that were received and not read. */
    boolean hasBuffered() {
        return position < limit;
    }

    private boolean fill() throws IOException {
        if (limit == buffer.length && limit < LARGE) { // no buffer yet, or the last read filled it
            buffer = new byte[limit == 0 ? SMALL : LARGE];
        }
        position = 0;
        limit = 0; // in case the read throws
        limit = Math.max(receive(buffer, 0, buffer.length), 0);
        return limit > 0;
    }

    private int receive(byte[] target, int offset, int length) throws IOException {
        int count = -1;
        boolean mayWait = activity.beginRead();
        try {
            if (mayWait || in.available() > 0) {
                count = in.read(target, offset, length);
                ended = count < 0;
            }
        } finally {
            activity.endRead(count);
        }
        if (count < 0 && ++readsAtEnd > MAX_READS_AT_END) {
            throw new EOFException("the handler keeps reading after the end of the input");
        }
        return count;
    }
}
