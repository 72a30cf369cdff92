package io.fibry.net;

import io.fibry.ActorBuilder;
import io.fibry.sockets.Checks;
import java.util.Objects;

/** A TCP server for line-based text protocols. Each connection is an actor that reads and writes lines. */
public final class LineServer {

    private LineServer() {}

    /**
     * Starts an acceptor whose handler reads and writes lines.
     *
     * @param builder its strategy is that of the connections; without a name, the server has a label of its kind and
     *     port, such as {@code lines:8080}
     * @param maxLineBytes the maximum length of a line of a client, in bytes without the line end
     * @throws IllegalArgumentException if the port is out of range, or the length is not positive
     * @throws java.io.UncheckedIOException if it cannot listen on the port, for instance because the port is in use
     * @throws IllegalStateException if the system is closed, or the name is taken
     */
    public static TcpAcceptor start(
            ActorBuilder<Object> builder, int port, int maxLineBytes, LineHandler handler, TcpOptions options) {
        Objects.requireNonNull(handler, "handler");
        Checks.checkPositive("maxLineBytes", maxLineBytes);
        return TcpAcceptor.start(
                builder,
                TcpKind.LINES,
                port,
                (connection, plain) -> handler.handle(new LineConnection(connection, maxLineBytes, plain.activity())),
                options);
    }
}
