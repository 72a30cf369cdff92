package io.fibry.net;

import io.fibry.ActorSystem;
import io.fibry.ThreadStrategy;
import io.fibry.sockets.Checks;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A TCP server for line-based text protocols. Each connection is an actor that reads and writes lines. */
public final class LineServer {

    private LineServer() {}

    /**
     * Starts an acceptor whose handler reads and writes lines.
     *
     * @param name the server's name in its system, or null for none; logs then use its kind and port, as in {@code lines:8080}
     * @param maxLineLength the maximum length of a line of a client, in bytes without the line end
     * @throws IllegalArgumentException if the port is out of range, or the length is not positive
     * @throws java.io.UncheckedIOException if it cannot listen on the port, for instance because the port is in use
     * @throws IllegalStateException if the system is closed, or the name is taken
     */
    public static TcpAcceptor start(
            ActorSystem system,
            ThreadStrategy strategy,
            @Nullable String name,
            int port,
            int maxLineLength,
            LineHandler handler,
            TcpOptions options) {
        Objects.requireNonNull(handler, "handler");
        Checks.checkPositive("maxLineLength", maxLineLength);
        return TcpAcceptor.start(
                system,
                strategy,
                name,
                TcpKind.LINES,
                port,
                (connection, plain) -> handler.handle(new LineConnection(connection, maxLineLength, plain.activity())),
                options);
    }
}
