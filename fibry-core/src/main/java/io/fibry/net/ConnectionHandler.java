package io.fibry.net;

import java.net.Socket;

/** Handles the connections of a {@link TcpAcceptor}. */
@FunctionalInterface
public interface ConnectionHandler {

    /**
     * Handles a connection from its first byte to its last, in an actor of its own. It may block. The socket is closed
     * when this method returns or throws.
     *
     * @throws Exception any exception. An {@link java.io.IOException} or {@link java.io.UncheckedIOException} counts as
     *     a broken connection and is logged in one line. Anything else is logged as a failure. Other connections are
     *     not affected
     */
    void handle(Socket connection) throws Exception;
}
