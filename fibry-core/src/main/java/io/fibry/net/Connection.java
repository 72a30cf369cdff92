package io.fibry.net;

import io.fibry.ActorBuilder;
import io.fibry.StopMode;
import io.fibry.dispatch.LogText;
import io.fibry.sockets.Tls;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A connection of a {@link TcpAcceptor}, with its permit. The actor's stop hook closes the socket and releases the
 * permit. The handler cannot do that, since an actor may end before its handler has started.
 */
final class Connection {

    private static final Logger LOG = LoggerFactory.getLogger(TcpAcceptor.class);

    private static final Duration GRACE = Duration.ofMillis(10);

    private final String acceptor;
    private final ConnectionSettings settings;
    private final OpenConnections all;
    private final AcceptedSocket socket;
    private final InetAddress client;
    private final long acceptedAt;
    private final AtomicBoolean ended = new AtomicBoolean();
    private final boolean fromProxy; // begins with a header of the PROXY protocol
    private volatile @Nullable String cut; // why this side closed it

    /** Whether the PROXY header, if any, has been read, and the TLS handshake, if any, has completed. */
    private volatile boolean greeted;

    /** If {@link #start} is called, a permit must have been acquired. The end of the connection releases it. */
    Connection(String acceptor, ConnectionSettings settings, OpenConnections all, AcceptedSocket socket) {
        this.acceptor = acceptor;
        this.settings = settings;
        this.all = all;
        this.socket = socket;
        client = socket.getInetAddress();
        fromProxy = settings.isProxy(client);
        greeted = settings.tls() == null && !fromProxy;
        acceptedAt = greeted ? 0 : System.nanoTime();
    }

    /** Starts an actor for the connection. If that throws, the socket is closed and the permit released. */
    void start(ActorBuilder<Object> actors) {
        boolean started = false;
        try {
            all.add(this);
            actors.label(this).onStopRequested(this::stop).onStop(exit -> end()).runOnce(this::handle);
            started = true;
        } finally {
            if (!started) {
                end();
            }
        }
    }

    String acceptor() {
        return acceptor;
    }

    /**
     * The address that counts for the limit of connections from one address. Behind a proxy, that is the address of the
     * client, and null while it is not known.
     */
    @Nullable
    InetAddress counted() {
        return fromProxy ? socket.reportedClient() : client;
    }

    private void handle() throws Exception {
        try {
            settings.configure(socket);
            Tls tls = settings.tls();
            if (fromProxy && !socket.readProxyHeader(all)) {
                close(socket::reset);
                return;
            }
            if (tls == null) {
                greeted = true;
                settings.handler().handle(socket, socket);
                linger(socket);
            } else {
                handleEncrypted(tls);
            }
        } catch (IOException | UncheckedIOException e) {
            report(e);
        } catch (Exception e) {
            if (cut == null) {
                throw e;
            }
            report(e); // not a failure of the handler: its connection was closed, and perhaps it was interrupted
        }
    }

    private void handleEncrypted(Tls tls) throws Exception {
        try (Socket encrypted = tls.handshake(socket)) { // closing it sends close_notify
            greeted = true;
            socket.nothingToAnswer();
            settings.handler().handle(encrypted, socket);
            linger(encrypted);
        }
    }

    /**
     * Ends the output, and waits for the client's end. The permit is released afterwards, so a connection that lingers
     * counts against the limits. A hard stop ends it.
     *
     * @param connection the socket that the handler has written to
     */
    private void linger(Socket connection) {
        try {
            if (endOutput(connection)) {
                try (socket) { // before an SSLSocket is closed, which would read for as long as the client sends
                    socket.discardInput();
                }
            }
        } catch (IOException e) {
            LOG.debug(
                    "Actor {}: the connection of {} ended while its input was discarded",
                    LogText.plain(acceptor),
                    client,
                    e);
        }
    }

    /**
     * Ends the output, and waits for the {@link Grace}, so that the read of the client's end need not wait. A virtual
     * thread that waits for a socket passes through the JDK's pollers, which costs several times as much. A client that
     * sees the end may open its next connection at once, so this one does not count against the limits meanwhile.
     */
    private boolean endOutput(Socket connection) throws IOException {
        var exemption = Exemption.begin(all, counted());
        try {
            if (connection != socket) {
                exemption.endAfter(GRACE); // close_notify waits for a client that does not read
            }
            boolean lingers = socket.endOutput(connection);
            exemption.cancel(); // it ends below
            if (lingers && Thread.currentThread().isVirtual()) {
                Grace.await(GRACE);
            }
            return lingers; // also after the interrupt of a hard stop, at which the next read closes the socket
        } finally {
            exemption.end();
        }
    }

    private void report(Exception e) {
        String reason = cut;
        if (reason != null) {
            LOG.debug(
                    "Actor {} closed the connection of {}: {}", LogText.plain(acceptor), client, LogText.plain(reason));
        } else if (all.isDraining()) {
            LOG.debug(
                    "Actor {} was stopped, and the connection of {} ended: {}",
                    LogText.plain(acceptor),
                    client,
                    LogText.plain(e));
        } else {
            all.reportBroken(acceptor, ": the connection of " + peer() + " broke: " + e);
        }
    }

    private Object peer() {
        return socket.getRemoteSocketAddress();
    }

    /** The label of its actor. */
    @Override
    public String toString() {
        return acceptor + ", connection of " + peer();
    }

    // ---- called by other threads

    /**
     * Closes the socket unless the stop drains: an interrupt does not wake a platform thread from a socket read, a
     * close does.
     */
    private void stop(StopMode mode) {
        if (mode != StopMode.DRAIN) {
            cut = "the acceptor was stopped";
            close(socket::cut);
        }
    }

    /**
     * If the connection is idle, its handler reads the end of the input, as if the client had closed the connection.
     */
    void endIfIdle() {
        socket.endInputIfIdle();
    }

    /**
     * Resets the connection if a timeout has passed. During a drain, ends its input once it is quiet. Does not block.
     */
    void checkTime(long now) {
        if (all.isDraining() && all.quietNanos() > 0) {
            endIfIdle();
        }
        if (!greeted && now - acceptedAt > settings.handshakeNanos()) {
            timeOut("the timeout of the handshake has passed");
        } else if (settings.idleNanos() > 0 && socket.activity().isStalled(settings.idleNanos(), now)) {
            timeOut("the idle timeout has passed");
        }
    }

    private void timeOut(String reason) {
        if (cut == null) {
            cut = reason;
            all.timedOut();
            try {
                socket.reset();
            } catch (IOException e) {
                LOG.debug("Actor {}: the connection of {} could not be reset", LogText.plain(acceptor), client, e);
            }
        }
    }

    /**
     * Closes the socket and releases the permit. Idempotent. Each step is taken even if the one before it runs out of
     * memory. A socket whose close has done so is closed by the garbage collector, for which it must not be referenced.
     */
    private void end() {
        if (ended.compareAndSet(false, true)) {
            try {
                close(socket::close);
            } finally {
                all.leave(this, counted());
            }
        }
    }

    private interface Close {
        void close() throws IOException;
    }

    private void close(Close how) {
        try {
            how.close();
        } catch (IOException e) {
            LOG.debug("Actor {}: the connection of {} could not be closed", LogText.plain(acceptor), client, e);
        }
    }
}
