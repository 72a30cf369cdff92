package io.fibry.net;

import io.fibry.ActorBuilder;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Accepts connections until it is stopped; in between it may be suspended, and then there is no listen socket. The permit of a
 * connection is taken before it gets its actor; one that gets none is reset.
 *
 * <p>If an accept fails, that is the fault of one connection, or there are no file descriptors or no threads left. Then it is
 * useless to go on at once, so there is a pause before each further attempt, and the operating system holds the clients. The
 * message usually tells which; since it may be in any language, a second failure in a row is taken for the latter too.
 */
final class AcceptLoop {

    private static final Logger LOG = LoggerFactory.getLogger(TcpAcceptor.class);
    private static final String NO_DESCRIPTORS = "Too many open files";
    private static final long FIRST_PAUSE_NANOS = 10_000_000;
    private static final long LONGEST_PAUSE_NANOS = 250_000_000;

    private final ConnectionSettings settings;
    private final Connections connections;
    private final Supplier<? extends Listener> open;
    private final long calmNanos;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private @Nullable Listener listener; // guarded by the lock, as are the next three; none means suspended
    private boolean stopped;
    private @Nullable Listener inUse; // the one that the loop accepts from
    private @Nullable Thread runner;

    private int failures; // in a row; the loop's thread only, as are the next
    private long pause;
    private boolean inTrouble;
    private long lastFailure;

    /** A loop whose listen socket is open. After so long without a failure the next accept ends the trouble. */
    AcceptLoop(
            ConnectionSettings settings,
            Connections connections,
            Listener listener,
            Supplier<? extends Listener> open,
            Duration calm) {
        this.settings = settings;
        this.connections = connections;
        this.listener = listener;
        this.open = open;
        calmNanos = calm.toNanos();
    }

    /** Accepts, each connection as one of those actors, until {@link #stop}. */
    void run(String acceptor, ActorBuilder<Object> actors) {
        try {
            for (Listener l = awaitListener(); l != null; l = awaitListener()) {
                while (!l.isClosed()) {
                    acceptOne(l, acceptor, actors);
                }
            }
        } finally {
            letGo(); // after an error too: a suspension may wait for it
        }
    }

    private void acceptOne(Listener l, String acceptor, ActorBuilder<Object> actors) {
        try {
            accept(l, acceptor, actors);
            succeeded(acceptor);
        } catch (IOException | RuntimeException | OutOfMemoryError | LinkageError e) { // no class without a file
            if (!l.isClosed()) {
                failed(l, acceptor, e);
            }
        }
    }

    private void accept(Listener l, String acceptor, ActorBuilder<Object> actors) throws IOException {
        AcceptedSocket socket = l.accept();
        var connection = new Connection(acceptor, settings, connections, socket);
        if (connections.acquire(socket.getInetAddress())) {
            connection.start(actors);
        } else {
            refuse(socket, acceptor);
        }
    }

    private static void refuse(AcceptedSocket socket, String acceptor) {
        try {
            Sockets.reset(socket);
        } catch (IOException e) { // no fault of the accept
            LOG.debug("Actor {}: a connection too many was not reset in order", acceptor, e);
        }
    }

    /** Where accepts fail and succeed by turns, that is still one trouble, and one line in the log. */
    private void succeeded(String acceptor) {
        failures = 0;
        pause = 0;
        if (inTrouble && System.nanoTime() - lastFailure > calmNanos) {
            inTrouble = false;
            LOG.info("Actor {} accepts connections again", acceptor);
        }
    }

    private void failed(Listener l, String acceptor, Throwable e) {
        connections.acceptFailed();
        String message = e.getMessage();
        if (++failures > 1 || (message != null && message.contains(NO_DESCRIPTORS))) {
            lastFailure = System.nanoTime();
            if (!inTrouble) {
                inTrouble = true;
                LOG.warn("Actor {} cannot accept connections: {}; it goes on trying", acceptor, e.toString());
            }
            pause = Math.clamp(pause * 2, FIRST_PAUSE_NANOS, LONGEST_PAUSE_NANOS);
            pause(l);
        }
    }

    /** Until the pause is over, or the listen socket has been closed. */
    private void pause(Listener l) {
        lock.lock();
        try {
            long left = pause;
            while (left > 0 && l == listener) {
                left = changed.awaitNanos(left);
            }
        } catch (InterruptedException stop) {
            LOG.debug("An acceptor was interrupted while it waited to try again");
        } finally {
            lock.unlock();
        }
    }

    /** Waits for the end of a suspension. Null if the loop has been stopped. */
    private @Nullable Listener awaitListener() {
        lock.lock();
        try {
            runner = Thread.currentThread();
            letGo();
            while (listener == null && !stopped) {
                changed.awaitUninterruptibly();
            }
            inUse = listener;
            return listener;
        } finally {
            lock.unlock();
        }
    }

    private void letGo() {
        lock.lock();
        try {
            inUse = null;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    // ---- any thread, any number of times

    /**
     * Closes the listen socket, until {@link #resume}. False if the loop has been stopped. Waits until the loop has let go of
     * the socket: as long as an accept has it in hands, the operating system goes on listening.
     */
    boolean suspend() {
        lock.lock();
        try {
            closeListener();
            awaitLetGo();
            return !stopped;
        } finally {
            lock.unlock();
        }
    }

    /** Opens a listen socket if there is none. False if the loop has been stopped. */
    boolean resume() {
        lock.lock();
        try {
            awaitLetGo(); // of the socket of before, which holds the port
            if (listener == null && !stopped) {
                listener = open.get();
                changed.signalAll();
            }
            return !stopped;
        } finally {
            lock.unlock();
        }
    }

    private void awaitLetGo() {
        while (inUse != null && inUse != listener && runner != Thread.currentThread()) {
            changed.awaitUninterruptibly();
        }
    }

    /** Closes the listen socket for good and wakes the loop wherever it waits. */
    void stop() {
        lock.lock();
        try {
            stopped = true;
            closeListener();
        } finally {
            lock.unlock();
        }
    }

    private void closeListener() {
        Listener l = listener;
        listener = null;
        changed.signalAll();
        if (l != null) {
            try {
                l.close();
            } catch (IOException e) {
                LOG.warn("A listen socket was not closed in order", e);
            }
        }
    }
}
