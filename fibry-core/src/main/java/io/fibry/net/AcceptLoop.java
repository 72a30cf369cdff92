package io.fibry.net;

import io.fibry.ActorBuilder;
import io.fibry.dispatch.LogText;
import io.fibry.dispatch.OutOfMemory;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Accepts connections until it is stopped. While it is suspended, there is no listen socket. A connection needs a
 * permit before it gets an actor; without a permit it is reset.
 *
 * <p>An accept fails because of its own connection, or because no file descriptors or threads are left. In the second
 * case an immediate retry would fail too. The loop therefore pauses before each further attempt, and the clients wait
 * in the backlog. The exception's message usually distinguishes the two cases. Since it may be localized, a second
 * failure in a row counts as the second case as well.
 *
 * <p><b>A full heap.</b> The loop survives it, because no other thread accepts: the port would stay open without a
 * service. An attempt closes the socket that it has not passed on, and only keeps its failure. The next step of the
 * loop handles it: it pauses, counts and logs. If that runs out of memory too, it has failed in the same way.
 */
final class AcceptLoop {

    private static final Logger LOG = LoggerFactory.getLogger(TcpAcceptor.class);
    private static final String NO_DESCRIPTORS = "Too many open files";
    private static final long FIRST_PAUSE_NANOS = 10_000_000;
    private static final long LONGEST_PAUSE_NANOS = 250_000_000;
    private static final Consumer<Listener> CLOSE = AcceptLoop::close;

    private final ConnectionSettings settings;
    private final OpenConnections connections;
    private final Supplier<? extends Listener> open;
    private final long calmNanos;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private @Nullable Listener listener; // guarded by lock, as are the next four; null while suspended or stopped
    private boolean stopped;
    private @Nullable IllegalStateException failure;
    private @Nullable Listener inUse; // the loop accepts from it
    private @Nullable Thread loopThread;

    private int failures; // in a row; used by the loop's thread only, as are the next four
    private @Nullable Throwable unhandled; // the failure of the last step
    private long pause;
    private boolean inTrouble;
    private long lastFailure;

    /**
     * Creates a loop whose listen socket is already open. After an outage, the first accept later than {@code calm}
     * after the last failure reports the recovery.
     */
    AcceptLoop(
            ConnectionSettings settings,
            OpenConnections connections,
            Listener listener,
            Supplier<? extends Listener> open,
            Duration calm) {
        this.settings = settings;
        this.connections = connections;
        this.listener = listener;
        this.open = open;
        calmNanos = calm.toNanos();
    }

    /** Accepts connections until {@link #stop}, and starts an actor for each. */
    void run(String acceptor, ActorBuilder<Object> actors) {
        try {
            for (Listener l = awaitListener(); l != null; l = awaitListener()) {
                while (!l.isClosed()) {
                    step(l, acceptor, actors);
                }
            }
        } finally {
            releaseListener(); // also after an Error: suspend or resume may be waiting for it
        }
        throwFailure();
    }

    /** Handles the failure of the last step, or else accepts a connection. */
    private void step(Listener l, String acceptor, ActorBuilder<Object> actors) {
        Throwable last = unhandled;
        unhandled = null;
        try {
            if (last == null) {
                accept(l, acceptor, actors);
                succeeded(acceptor);
            } else {
                failed(l, acceptor, last);
            }
        } catch (IOException | RuntimeException | LinkageError | OutOfMemoryError e) { // LinkageError: no descriptor
            unhandled = l.isClosed() ? null : e;
        }
    }

    private void accept(Listener l, String acceptor, ActorBuilder<Object> actors) throws IOException {
        AcceptedSocket socket = l.accept();
        boolean decided = false;
        try {
            var connection = new Connection(acceptor, settings, connections, socket);
            boolean permitted = connections.acquire(connection.counted());
            decided = true;
            if (permitted) {
                connection.start(actors);
            } else {
                refuse(socket, acceptor);
            }
        } finally {
            if (!decided) { // this connection is not registered yet, so no other code would close it
                socket.close();
            }
        }
    }

    private static void refuse(AcceptedSocket socket, String acceptor) {
        try {
            Sockets.reset(socket);
        } catch (IOException e) { // the accept itself succeeded
            LOG.debug("Actor {} could not reset a connection beyond its limit", LogText.plain(acceptor), e);
        }
    }

    /** If accepts alternately fail and succeed, that is one outage, with one warning in the log. */
    private void succeeded(String acceptor) {
        failures = 0;
        pause = 0;
        if (inTrouble && System.nanoTime() - lastFailure > calmNanos) {
            inTrouble = false;
            LOG.info("Actor {} accepts connections again", LogText.plain(acceptor));
        }
    }

    /** Pauses first: while it lasts, other threads may release memory for the rest. */
    private void failed(Listener l, String acceptor, Throwable e) {
        boolean isFullHeap = e instanceof OutOfMemoryError;
        if (isFullHeap) {
            OutOfMemory.note();
        }
        boolean isTrouble = ++failures > 1 || isFullHeap || lacksDescriptors(e);
        if (isTrouble) {
            pauseInTrouble(l);
        }
        connections.acceptFailed();
        if (isTrouble) {
            logTrouble(acceptor, e);
        }
    }

    private static boolean lacksDescriptors(Throwable e) {
        String message = e.getMessage();
        return message != null && message.contains(NO_DESCRIPTORS);
    }

    private void logTrouble(String acceptor, Throwable e) {
        if (!inTrouble) {
            LOG.warn(
                    "Actor {} cannot accept connections: {}; it will retry", LogText.plain(acceptor), LogText.plain(e));
            inTrouble = true;
        }
    }

    private void pauseInTrouble(Listener l) {
        lastFailure = System.nanoTime();
        pause = Math.clamp(pause * 2, FIRST_PAUSE_NANOS, LONGEST_PAUSE_NANOS);
        pause(l);
    }

    /** Waits until the pause is over, or the listen socket has been closed. */
    private void pause(Listener l) {
        lock.lock();
        try {
            long left = pause;
            while (left > 0 && l == listener) {
                left = changed.awaitNanos(left);
            }
        } catch (InterruptedException stop) {
            LOG.debug("An acceptor was interrupted during the pause before its next attempt");
        } finally {
            lock.unlock();
        }
    }

    /** Returns the listen socket, after the end of a suspension; null if the loop has been stopped. */
    private @Nullable Listener awaitListener() {
        lock.lock();
        try {
            loopThread = Thread.currentThread();
            releaseListener();
            while (listener == null && !stopped) {
                changed.awaitUninterruptibly();
            }
            inUse = listener;
            return listener;
        } finally {
            lock.unlock();
        }
    }

    private void releaseListener() {
        lock.lock();
        try {
            inUse = null;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    // ---- called by any thread, any number of times

    /**
     * Closes the listen socket, until {@link #resume}. Waits until the loop no longer uses it: the operating system
     * listens until a running accept returns.
     *
     * @return false if the loop has been stopped
     */
    boolean suspend() {
        lock.lock();
        try {
            closeListener();
            awaitRelease();
            return !stopped;
        } finally {
            lock.unlock();
        }
    }

    /** Opens a listen socket if there is none. Returns false if the loop has been stopped. */
    boolean resume() {
        lock.lock();
        try {
            awaitRelease(); // the previous socket still holds the port
            if (listener == null && !stopped) {
                listener = open.get();
                changed.signalAll();
            }
            return !stopped;
        } finally {
            lock.unlock();
        }
    }

    private void awaitRelease() {
        while (inUse != null && inUse != listener && loopThread != Thread.currentThread()) {
            changed.awaitUninterruptibly();
        }
    }

    /** Closes the listen socket for good, and wakes the loop from an accept, a pause or a suspension. */
    void stop() {
        lock.lock();
        try {
            stopped = true;
            closeListener();
        } finally {
            lock.unlock();
        }
    }

    /** As {@link #stop}, and the loop throws this cause. */
    void fail(IllegalStateException cause) {
        lock.lock();
        try {
            failure = cause;
            stop();
        } finally {
            lock.unlock();
        }
    }

    private void throwFailure() {
        lock.lock();
        try {
            if (failure != null) {
                throw failure;
            }
        } finally {
            lock.unlock();
        }
    }

    private void closeListener() {
        Listener l = listener;
        listener = null;
        changed.signalAll();
        if (l != null) {
            OutOfMemory.repeat(CLOSE, l); // an open socket would keep its port, and clients would wait without end
        }
    }

    private static void close(Listener l) {
        try {
            l.close();
        } catch (IOException e) {
            LOG.warn("A listen socket could not be closed", e);
        }
    }
}
