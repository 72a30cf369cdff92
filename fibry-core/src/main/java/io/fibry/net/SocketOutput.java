package io.fibry.net;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Objects;

/** The output of a socket. It records each write, and ends a draining connection that has become idle by it. */
final class SocketOutput extends OutputStream {

    private static final int PIECE = 16 * 1024;

    private final OutputStream out;
    private final AcceptedSocket socket;

    SocketOutput(OutputStream out, AcceptedSocket socket) {
        this.out = out;
        this.socket = socket;
    }

    @Override
    public void write(int b) throws IOException {
        write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] source, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, source.length);
        int piece = socket.activity().isTimed() ? PIECE : length;
        int from = offset;
        int end = offset + length;
        while (from < end) {
            int n = Math.min(piece, end - from);
            send(source, from, n);
            from += n;
        }
    }

    private void send(byte[] source, int offset, int length) throws IOException {
        ConnectionActivity activity = socket.activity();
        boolean end = false;
        socket.hasAnswered();
        activity.beginWrite();
        try {
            out.write(source, offset, length);
        } finally {
            end = activity.endWrite();
        }
        if (end) {
            socket.endInputIfIdle();
        }
    }

    /** Closes the socket. */
    @Override
    public void close() throws IOException {
        out.close();
    }
}
