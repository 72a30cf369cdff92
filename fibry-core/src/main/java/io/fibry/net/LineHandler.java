package io.fibry.net;

/** What a {@link LineServer} does with a connection. */
@FunctionalInterface
public interface LineHandler {

    /**
     * Handles a connection from its first line to its last, in an actor of its own; it may block. The connection is closed when
     * this method ends.
     *
     * @throws Exception as it likes: an {@link java.io.IOException} is taken for a broken connection and noted with one line
     *     in the log, anything else is logged as a failure; other connections are not affected
     */
    void handle(LineConnection connection) throws Exception;
}
