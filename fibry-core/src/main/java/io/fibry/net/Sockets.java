package io.fibry.net;

import java.io.IOException;
import java.net.Socket;

/** What one does with any socket. */
final class Sockets {

    private Sockets() {}

    /** Closes it at once. The peer gets a reset, and nothing is kept of what was still to be sent. */
    static void reset(Socket socket) throws IOException {
        try (socket) {
            if (!socket.isClosed()) {
                socket.setSoLinger(true, 0);
            }
        }
    }
}
