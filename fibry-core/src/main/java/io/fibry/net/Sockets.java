package io.fibry.net;

import java.io.IOException;
import java.net.Socket;

/** Operations on sockets. */
final class Sockets {

    private Sockets() {}

    /** Closes the socket at once. The peer gets a reset, and unsent data is discarded. */
    static void reset(Socket socket) throws IOException {
        try (socket) {
            if (!socket.isClosed()) {
                socket.setSoLinger(true, 0);
            }
        }
    }
}
