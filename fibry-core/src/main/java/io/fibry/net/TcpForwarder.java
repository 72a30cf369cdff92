package io.fibry.net;

import io.fibry.Actor;
import io.fibry.ActorBuilder;
import io.fibry.ActorSystem;
import io.fibry.ThreadStrategy;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A TCP server that forwards every connection to another server, the target, in both directions.
 *
 * <p>Each direction ends by itself: a client that has shut down its output still gets the answer. If one side breaks, the other
 * side is reset, so that an incomplete answer is not mistaken for a complete one. A side that sends faster than the other reads
 * has to wait; each direction has a buffer of 8 KiB. If connecting to the target takes longer than 10 seconds, the client's
 * connection is closed. A stop may have to wait for that timeout.
 *
 * <p>The idle timeout counts from the last move in either direction, and resets both sides. It also ends a connection of which one
 * side has ended its output while the other side does not answer. Without it, such a connection stays open.
 *
 * <p>A stop ends a connection when nothing has moved in either direction for a second. The target then reads the end of the
 * input, and may still answer.
 */
public final class TcpForwarder {

    private static final Logger LOG = LoggerFactory.getLogger(TcpForwarder.class);
    private static final int CONNECT_MILLIS = 10_000;
    private static final int BUFFER = 8 * 1024;

    private TcpForwarder() {}

    /**
     * Starts an acceptor that forwards. An unresolved target is resolved for each connection.
     *
     * @param name the server's name in its system, or null for none; logs then use its kind and port, as in
     *     {@code forwarder:8080}
     * @throws IllegalArgumentException if the port is out of range
     * @throws java.io.UncheckedIOException if it cannot listen on the port, for instance because the port is in use
     * @throws IllegalStateException if the system is closed, or the name is taken
     */
    public static TcpAcceptor start(
            ActorSystem system,
            ThreadStrategy strategy,
            @Nullable String name,
            int port,
            InetSocketAddress target,
            TcpOptions options) {
        Objects.requireNonNull(target, "target");
        ServerHandler handler = (client, plain) -> {
            try (var server = new Socket()) {
                plain.tie(server);
                connect(server, target, options);
                plain.activity().beginForwarding();
                forward(client, server, plain.activity(), copierOf(client, system, strategy, name));
            }
        };
        return TcpAcceptor.start(system, strategy, name, TcpKind.FORWARDER, port, handler, options);
    }

    /** Returns a builder for the actor that copies the target's answers to a client. */
    private static ActorBuilder<Object> copierOf(
            Socket client, ActorSystem system, ThreadStrategy strategy, @Nullable String name) {
        return system.actor().strategy(strategy).label(new Object() {
            @Override
            public String toString() {
                String server = name != null ? name : TcpKind.FORWARDER.label() + ":" + client.getLocalPort();
                return server + ", answers to " + client.getRemoteSocketAddress();
            }
        });
    }

    private static void forward(
            Socket client, Socket server, ConnectionActivity activity, ActorBuilder<Object> copierOfAnswers)
            throws IOException {
        var back = new CompletableFuture<Void>();
        Actor<Void> copier = copierOfAnswers.runOnce(() -> copyBack(server, client, activity, back));
        try {
            copy(client, server, activity);
        } finally {
            copier.waitForExit(); // it needs the sockets; if one breaks, it ends
        }
        if (back.isCompletedExceptionally()) {
            throw new IOException("copying the answers failed: " + back.exceptionNow(), back.exceptionNow());
        }
    }

    private static void connect(Socket server, InetSocketAddress target, TcpOptions options) throws IOException {
        try {
            server.connect(
                    target.isUnresolved() ? new InetSocketAddress(target.getHostString(), target.getPort()) : target,
                    CONNECT_MILLIS);
            server.setTcpNoDelay(true);
            server.setKeepAlive(options.keepAlive());
        } catch (IOException e) { // otherwise the log would blame the client's connection
            throw new IOException("the target " + target + " cannot be reached: " + e, e);
        }
    }

    private static void copyBack(
            Socket server, Socket client, ConnectionActivity activity, CompletableFuture<Void> result) {
        try {
            copy(server, client, activity);
            result.complete(null);
        } catch (IOException e) {
            result.completeExceptionally(e);
        }
    }

    /** Copies one direction up to its end, and ends the output too. On failure, resets both sides. */
    private static void copy(Socket from, Socket to, ConnectionActivity activity) throws IOException {
        boolean whole = false;
        try {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            byte[] buffer = new byte[BUFFER];
            for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
                out.write(buffer, 0, n);
                activity.touch(); // the target's socket does not record that it has accepted something
            }
            to.shutdownOutput();
            whole = true;
        } finally {
            if (!whole) {
                reset(from);
                reset(to);
            }
        }
    }

    private static void reset(Socket socket) {
        try {
            Sockets.reset(socket);
        } catch (IOException e) {
            LOG.debug("A forwarded connection could not be reset", e);
        }
    }
}
