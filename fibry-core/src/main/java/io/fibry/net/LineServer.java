package io.fibry.net;

import io.fibry.ActorSystem;
import io.fibry.ThreadStrategy;
import io.fibry.sockets.Checks;
import java.util.Objects;

/** A TCP server for protocols of lines, such as a human types them: each connection is an actor that reads and writes lines. */
public final class LineServer {

    private LineServer() {}

    /**
     * Starts an acceptor whose connections are lines.
     *
     * @param maxLineLength how many bytes a line of a client may have, without its end
     * @throws IllegalArgumentException if the port is out of range, or the length is not positive
     * @throws java.io.UncheckedIOException if it cannot listen there, for instance because the port is taken
     * @throws IllegalStateException if the system is closed
     */
    public static TcpAcceptor start(
            ActorSystem system,
            ThreadStrategy strategy,
            int port,
            int maxLineLength,
            LineHandler handler,
            TcpOptions options) {
        Objects.requireNonNull(handler, "handler");
        Checks.checkPositive("maxLineLength", maxLineLength);
        return TcpAcceptor.start(
                system, strategy, port, socket -> handler.handle(new LineConnection(socket, maxLineLength)), options);
    }
}
