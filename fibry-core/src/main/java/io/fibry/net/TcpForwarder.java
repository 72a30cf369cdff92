package io.fibry.net;

import io.fibry.Actor;
import io.fibry.ActorBuilder;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A TCP server that forwards every connection to another server, the target, in both directions.
 *
 * <p>Each direction ends by itself: a client that has shut down its output still gets the answer. If one side breaks,
 * the other side is reset, so that an incomplete answer is not mistaken for a complete one. A side that sends faster
 * than the other reads has to wait; each direction has a buffer of 8 KiB. If connecting to the target takes longer than
 * 10 seconds, the client's connection is closed. A stop may wait for this timeout.
 *
 * <p>The {@linkplain TcpOptions#idleTimeout idle timeout} counts from the last transfer in either direction, and resets
 * both sides. It also ends a connection of which one side has ended its output and the other side does not answer.
 * Without an idle timeout, such a connection stays open.
 *
 * <p>A stop ends a connection when no data has been transferred in either direction for a second. The target then reads
 * the end of the input, and may still answer.
 */
public final class TcpForwarder {

    private static final Logger LOG = LoggerFactory.getLogger(TcpForwarder.class);
    private static final int CONNECT_MILLIS = 10_000;
    private static final int BUFFER = 8 * 1024;

    private TcpForwarder() {}

    /**
     * Starts an acceptor that forwards. An unresolved target is resolved for each connection.
     *
     * @param builder its strategy is that of the connections; without a name, the server has a label of its kind and
     *     port, such as {@code forwarder:8080}
     * @throws IllegalArgumentException if the port is out of range
     * @throws java.io.UncheckedIOException if it cannot listen on the port, for instance because the port is in use
     * @throws IllegalStateException if the system is closed, or the name is taken
     */
    public static TcpAcceptor start(
            ActorBuilder<Object> builder, int port, InetSocketAddress target, TcpOptions options) {
        Objects.requireNonNull(target, "target");
        ActorBuilder<Object> acceptor = builder.copy(); // the caller may change the other one
        ServerHandler handler = (client, plain) -> {
            try (var server = new Socket()) {
                plain.tie(server);
                connect(server, target, options);
                plain.activity().beginForwarding();
                forward(client, server, plain.activity(), copierOf(client, acceptor));
            }
        };
        return TcpAcceptor.start(builder, TcpKind.FORWARDER, port, handler, options);
    }

    /** Returns a builder for the actor that copies the target's answers to a client. */
    private static ActorBuilder<Object> copierOf(Socket client, ActorBuilder<Object> acceptor) {
        return acceptor.system().actor().strategy(acceptor.strategy()).label(new Object() {
            @Override
            public String toString() {
                Object name = acceptor.name() != null ? acceptor.name() : acceptor.label();
                Object server = name != null ? name : TcpKind.FORWARDER.label() + ":" + client.getLocalPort();
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
