package io.fibry.net;

import io.fibry.ActorBuilder;
import io.fibry.StopMode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.Semaphore;
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
    private final ConnectionHandler handler;
    private final Semaphore permits;
    private final AtomicBoolean ended = new AtomicBoolean();
    private volatile boolean broken;
    private @Nullable Socket socket; // set before the actor starts

    /** A connection yet to come; it owns one of the permits, which the caller has taken. */
    Connection(String acceptor, ConnectionHandler handler, Semaphore permits) {
        this.acceptor = acceptor;
        this.handler = handler;
        this.permits = permits;
    }

    /** Waits for a client and hands it to an actor of its own. If this throws, nothing is left of the connection. */
    void accept(ServerSocket listener, ActorBuilder actors) throws IOException {
        boolean started = false;
        try {
            Socket s = listener.accept();
            socket = s;
            actors.onStopRequested(mode -> stop(mode, s)).onStop(this::end).runOnce(() -> handle(s));
            started = true;
        } finally {
            if (!started) {
                end();
            }
        }
    }

    private void handle(Socket s) throws Exception {
        try {
            s.setTcpNoDelay(true); // an answer is often one small write
            handler.handle(s);
        } catch (IOException | UncheckedIOException e) {
            report(s, e);
        }
    }

    private void report(Socket s, Exception e) {
        if (broken) {
            LOG.debug("Actor {} was stopped and cut the connection of {}", acceptor, s.getRemoteSocketAddress());
        } else {
            LOG.info("Actor {}: the connection of {} broke: {}", acceptor, s.getRemoteSocketAddress(), e.toString());
        }
    }

    /** An interrupt does not wake a platform thread that reads from a socket; the closing of the socket does. */
    private void stop(StopMode mode, Socket s) {
        if (mode != StopMode.DRAIN) {
            broken = true;
            close(s);
        }
    }

    /** Called whatever happens, by way of several paths; does its work once. */
    private void end() {
        if (ended.compareAndSet(false, true)) {
            Socket s = socket;
            if (s != null) {
                close(s);
            }
            permits.release();
        }
    }

    private void close(Socket s) {
        try {
            s.close();
        } catch (IOException e) {
            LOG.debug("Actor {}: a connection was not closed in order", acceptor, e);
        }
    }
}
