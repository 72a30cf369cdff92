package io.fibry.net;

import io.fibry.ActorSystem;
import io.fibry.ThreadStrategy;
import io.fibry.sockets.Checks;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A TCP server for protocols of lines, such as a human types them: each connection is an actor that reads and writes lines. */
public final class LineServer {

    private LineServer() {}

    /**
     * Starts an acceptor whose connections are lines.
     *
     * @param name the server's name in its system, or null for none: logs then call it by its kind and port
     * @param maxLineLength how many bytes a line of a client may have, without its end
     * @throws IllegalArgumentException if the port is out of range, or the length is not positive
     * @throws java.io.UncheckedIOException if it cannot listen there, for instance because the port is taken
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
                socket -> handler.handle(new LineConnection(socket, maxLineLength)),
                options);
    }
}
