package io.fibry.net;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Objects;

/** A socket's output that tells its {@link Traffic} of each write. */
final class SocketOutput extends OutputStream {

    private static final int PIECE = 16 * 1024;

    private final OutputStream out;
    private final Traffic traffic;

    SocketOutput(OutputStream out, Traffic traffic) {
        this.out = out;
        this.traffic = traffic;
    }

    @Override
    public void write(int b) throws IOException {
        write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] source, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, source.length);
        int piece = traffic.isTimed() ? PIECE : length;
        int from = offset;
        int end = offset + length;
        while (from < end) {
            int n = Math.min(piece, end - from);
            send(source, from, n);
            from += n;
        }
    }

    private void send(byte[] source, int offset, int length) throws IOException {
        traffic.beginWrite();
        try {
            out.write(source, offset, length);
        } finally {
            traffic.endWrite();
        }
    }

    /** Closes the socket. */
    @Override
    public void close() throws IOException {
        out.close();
    }
}
