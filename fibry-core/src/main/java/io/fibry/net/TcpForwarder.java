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
 * A TCP server that passes every connection on to another server: what the client sends, and what the other server answers.
 *
 * <p>Each direction ends for itself: a client that has sent all, and says so, still gets its answer. If the connection breaks
 * on one side, it is reset on the other, so that nobody takes half an answer for a whole one. A side that sends faster than
 * the other one reads has to wait; there are 8 KB in hands for each direction. If the target is not there within 10 seconds,
 * the client's connection is closed; a stop may have to wait for that, too.
 *
 * <p>A stop ends a connection as soon as nothing has moved for a second, in either direction: the target then finds the end of the
 * client's input, and may still answer.
 */
public final class TcpForwarder {

    private static final Logger LOG = LoggerFactory.getLogger(TcpForwarder.class);
    private static final int CONNECT_MILLIS = 10_000;
    private static final int BUFFER = 8 * 1024;

    private TcpForwarder() {}

    /**
     * Starts an acceptor that forwards. An unresolved target is looked up for each connection.
     *
     * @param name the server's name in its system, or null for none: logs then call it by its kind and port
     * @throws IllegalArgumentException if the port is out of range
     * @throws java.io.UncheckedIOException if it cannot listen there, for instance because the port is taken
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
        ConnectionHandler handler = client -> forward(client, target, copierOf(client, system, strategy, name));
        return TcpAcceptor.start(system, strategy, name, TcpKind.FORWARDER, port, handler, options);
    }

    /** A builder of the actor that copies the target's answers to a client. */
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

    private static void forward(Socket client, InetSocketAddress target, ActorBuilder<Object> copierOfAnswers)
            throws Exception {
        try (var server = new Socket()) {
            connect(server, target);
            var back = new CompletableFuture<Void>();
            Actor<Void> copier = copierOfAnswers.runOnce(() -> copyBack(server, client, back));
            try {
                copy(client, server);
            } finally {
                copier.waitForExit(); // with the sockets still in hands; it ends with them
            }
            if (back.isCompletedExceptionally()) {
                throw new IOException("the way back broke: " + back.exceptionNow(), back.exceptionNow());
            }
        }
    }

    private static void connect(Socket server, InetSocketAddress target) throws IOException {
        try {
            server.connect(
                    target.isUnresolved() ? new InetSocketAddress(target.getHostString(), target.getPort()) : target,
                    CONNECT_MILLIS);
            server.setTcpNoDelay(true);
        } catch (IOException e) { // the log would take it for the client's
            throw new IOException("the target " + target + " cannot be reached: " + e, e);
        }
    }

    private static void copyBack(Socket server, Socket client, CompletableFuture<Void> result) {
        try {
            copy(server, client);
            result.complete(null);
        } catch (IOException e) {
            result.completeExceptionally(e);
        }
    }

    /** One direction up to its end, which is passed on. */
    private static void copy(Socket from, Socket to) throws IOException {
        boolean whole = false;
        try {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            byte[] buffer = new byte[BUFFER];
            for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
                out.write(buffer, 0, n);
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
            LOG.debug("A forwarded connection was not reset in order", e);
        }
    }
}
