package io.fibry.net;

/** Handles the connections of a {@link LineServer}. */
@FunctionalInterface
public interface LineHandler {

    /**
     * Handles a connection from its first line to its last, in an actor of its own. It may block. The connection is
     * closed when this method returns or throws.
     *
     * @throws Exception any exception. An {@link java.io.IOException} or {@link java.io.UncheckedIOException} counts as
     *     a broken connection and is logged in one line. Anything else is logged as a failure. Other connections are
     *     not affected
     */
    void handle(LineConnection connection) throws Exception;
}
