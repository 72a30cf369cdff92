package io.fibry.net;

import java.net.Socket;

/**
 * Handles the connections of an acceptor, for servers of this package that need more of a connection than its streams.
 */
@FunctionalInterface
interface ServerHandler {

    /**
     * Handles a connection.
     *
     * @param connection the socket to read from and write to; with TLS, the encrypted one
     * @param plain the accepted socket; without TLS the same
     */
    void handle(Socket connection, AcceptedSocket plain) throws Exception;
}
