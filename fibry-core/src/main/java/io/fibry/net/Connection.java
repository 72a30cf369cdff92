package io.fibry.net;

import io.fibry.ActorBuilder;
import io.fibry.StopMode;
import io.fibry.sockets.Tls;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A connection of a {@link TcpAcceptor} with its permit. The actor's stop hook ends it, and not the handler's thread, because
 * there is an actor's end also where no handler ever ran.
 */
final class Connection {

    private static final Logger LOG = LoggerFactory.getLogger(TcpAcceptor.class);

    private final String acceptor;
    private final ConnectionSettings settings;
    private final Connections all;
    private final AcceptedSocket socket;
    private final InetAddress client;
    private final long acceptedAt;
    private final AtomicBoolean ended = new AtomicBoolean();
    private volatile boolean greeted; // its TLS handshake is done, or there is none
    private volatile @Nullable String cut; // why this side has cut it

    /** The caller has taken a permit for it, which it gives back when it ends. */
    Connection(String acceptor, ConnectionSettings settings, Connections all, AcceptedSocket socket) {
        this.acceptor = acceptor;
        this.settings = settings;
        this.all = all;
        this.socket = socket;
        client = socket.getInetAddress();
        greeted = settings.tls() == null;
        acceptedAt = greeted ? 0 : System.nanoTime();
    }

    /** Hands it to an actor of its own. If this throws, nothing is left of it. */
    void start(ActorBuilder<Object> actors) {
        boolean started = false;
        try {
            all.add(this);
            actors.label(this).onStopRequested(this::stop).onStop(this::end).runOnce(this::handle);
            started = true;
        } finally {
            if (!started) {
                end();
            }
        }
    }

    private void handle() throws Exception {
        try {
            settings.configure(socket);
            Tls tls = settings.tls();
            if (tls == null) {
                settings.handler().handle(socket);
            } else {
                handleEncrypted(tls);
            }
        } catch (IOException | UncheckedIOException e) {
            report(e);
        }
    }

    private void handleEncrypted(Tls tls) throws Exception {
        try (Socket encrypted = tls.handshake(socket)) { // closed here, because that sends the client a farewell
            greeted = true;
            settings.handler().handle(encrypted);
        }
    }

    private void report(Exception e) {
        String reason = cut;
        if (reason != null) {
            LOG.debug("Actor {} has cut the connection of {}: {}", acceptor, client, reason);
        } else if (all.isDraining()) {
            LOG.debug("Actor {} was stopped, and the connection of {} ended: {}", acceptor, client, e.toString());
        } else {
            LOG.info("Actor {}: the connection of {} broke: {}", acceptor, peer(), e.toString());
        }
    }

    private Object peer() {
        return socket.getRemoteSocketAddress();
    }

    /** What its actor is called. */
    @Override
    public String toString() {
        return acceptor + ", connection of " + peer();
    }

    // ---- by other threads

    /** An interrupt does not wake a platform thread that reads from a socket; the closing of the socket does. */
    private void stop(StopMode mode) {
        if (mode != StopMode.DRAIN) {
            cut = "the acceptor was stopped";
            close();
        }
    }

    /** If it is idle, its handler finds the end of the input, as if the client had ended the connection. */
    void endIfIdle() {
        try {
            socket.endInputIfIdle();
        } catch (IOException e) {
            LOG.debug("Actor {}: the connection of {} has ended already", acceptor, client, e);
        }
    }

    /** Resets it if its time is over, and ends it if it is to end and has become quiet. Does not block. */
    void checkTime(long now) {
        if (all.isDraining() && all.quietNanos() > 0) {
            endIfIdle();
        }
        if (!greeted && now - acceptedAt > settings.handshakeNanos()) {
            timeOut("it has not finished its TLS handshake");
        } else if (settings.idleNanos() > 0 && socket.activity().isStalled(settings.idleNanos(), now)) {
            timeOut("nothing has come or gone for too long");
        }
    }

    private void timeOut(String reason) {
        if (cut == null) {
            cut = reason;
            all.timedOut();
            try {
                Sockets.reset(socket);
            } catch (IOException e) {
                LOG.debug("Actor {}: the connection of {} was not reset in order", acceptor, client, e);
            }
        }
    }

    /** Called whatever happens, by way of several paths; does its work once. */
    private void end() {
        if (ended.compareAndSet(false, true)) {
            close();
            all.remove(this);
            all.release(client);
        }
    }

    private void close() {
        try {
            socket.close();
        } catch (IOException e) {
            LOG.debug("Actor {}: the connection of {} was not closed in order", acceptor, client, e);
        }
    }
}
