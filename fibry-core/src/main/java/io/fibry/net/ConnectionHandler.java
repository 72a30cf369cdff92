package io.fibry.net;

import java.net.Socket;

/** What a {@link TcpAcceptor} does with a connection. */
@FunctionalInterface
public interface ConnectionHandler {

    /**
     * Handles a connection from its first byte to its last, in an actor of its own; it may block. The socket is closed when
     * this method ends.
     *
     * @throws Exception as it likes: an {@link java.io.IOException} is taken for a broken connection and noted with one line
     *     in the log, anything else is logged as a failure; other connections are not affected
     */
    void handle(Socket connection) throws Exception;
}
