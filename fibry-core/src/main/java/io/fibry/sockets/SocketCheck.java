package io.fibry.sockets;

import io.fibry.dispatch.OutOfMemory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Detects that virtual threads cannot wait for sockets any more. The JDK has pollers that wake them up. A poller that
 * runs out of memory ends and is not replaced. From then on, a server on virtual threads accepts connections and
 * answers none of them, until the JVM is restarted. Such a server has to fail, so that a supervisor or a health check
 * notices it.
 *
 * <p><b>How.</b> A platform thread runs a {@link SocketProbe} after memory has run out, and now and then. If no probe
 * has passed for {@link #PATIENCE}, all servers that are registered fail. This also closes their connections, which may
 * release memory. Without an {@link OutOfMemoryError}, a probe counts as failed only if another virtual thread ran at
 * the same time: it is not a fault that all processors are busy.
 *
 * <p><b>No error is missed.</b> A look reads the number of noted errors before it begins a probe. A probe that passes
 * proves the state as of that number, and an error that is noted later changes the number, so the next look begins
 * another probe.
 */
public final class SocketCheck implements Runnable {

    private static final Duration PERIOD = Duration.ofSeconds(1);

    /** A probe that is not due to an error is run once in this number of looks. */
    private static final int LOOKS_PER_ROUTINE = 10;

    static final Duration PATIENCE = Duration.ofSeconds(30);

    /** Not final, for a test in a JVM of its own. */
    static volatile Duration patience = PATIENCE;

    private static final Duration PROBE_LIMIT = Duration.ofSeconds(2);

    private static final SocketCheck SHARED = new SocketCheck(
            SocketProbe::run,
            SocketProbe::virtualThreadsRun,
            Thread.ofPlatform()
                    .name("fibry-socket-check")
                    .daemon()
                    .inheritInheritableThreadLocals(false)
                    .factory());

    /** A server that is to fail. */
    public static final class Registration implements AutoCloseable {
        private final SocketCheck check;
        private final Consumer<? super IllegalStateException> fail;

        private Registration(SocketCheck check, Consumer<? super IllegalStateException> fail) {
            this.check = check;
            this.fail = fail;
        }

        /** The server has ended. Idempotent. */
        @Override
        public void close() {
            check.remove(this);
        }
    }

    private final LongFunction<SocketProbe.Result> probe;
    private final LongFunction<Boolean> control;
    private final ThreadFactory threads;

    private final ReentrantLock lock = new ReentrantLock();
    private final List<Registration> servers = new ArrayList<>(); // guarded by lock, as are the next two
    private boolean dead;
    private @Nullable Thread thread;

    // Used by the checking thread only.
    private int proven = OutOfMemory.noted();
    private long looks;
    private boolean suspect;
    private long suspectSince;

    /**
     * @param probe runs a probe for at most this number of nanoseconds
     * @param control whether other virtual threads run; it takes at most this number of nanoseconds, too
     */
    SocketCheck(LongFunction<SocketProbe.Result> probe, LongFunction<Boolean> control, ThreadFactory threads) {
        this.probe = probe;
        this.control = control;
        this.threads = threads;
    }

    /**
     * Registers a server whose handlers wait for sockets on virtual threads. The code is called, by a platform thread,
     * when they cannot do so any more. It must not block.
     *
     * @throws IllegalStateException if they cannot do so at present
     */
    public static Registration register(Consumer<? super IllegalStateException> fail) {
        return SHARED.add(fail);
    }

    Registration add(Consumer<? super IllegalStateException> fail) {
        var server = new Registration(this, fail);
        lock.lock();
        try {
            if (dead) {
                throw failure();
            }
            if (thread == null) {
                Thread next = threads.newThread(this);
                next.start(); // waits for the lock before it looks whether there are servers
                thread = next;
            }
            servers.add(server);
            return server;
        } finally {
            lock.unlock();
        }
    }

    private void remove(Registration server) {
        lock.lock();
        try {
            servers.remove(server);
            if (servers.isEmpty()) {
                LockSupport.unpark(thread);
            }
        } finally {
            lock.unlock();
        }
    }

    static IllegalStateException failure() {
        return new IllegalStateException(
                "virtual threads of this JVM cannot wait for sockets any more: memory has run out, and threads of the"
                        + " JDK that wake them up have ended; restart the JVM, with more memory or fewer connections");
    }

    /**
     * Runs while there are servers. After a failure it runs on, since the servers may be started again when a probe
     * passes. The first look runs a probe, which loads its classes while there are file descriptors.
     */
    @Override
    public void run() {
        boolean goesOn = true;
        while (goesOn) {
            try {
                look(System.nanoTime());
            } catch (OutOfMemoryError e) {
                OutOfMemory.note();
            }
            goesOn = awaitNext();
        }
    }

    private boolean awaitNext() {
        LockSupport.parkNanos(PERIOD.toNanos());
        lock.lock();
        try {
            boolean goesOn = !servers.isEmpty() || dead;
            if (!goesOn) {
                thread = null;
            }
            return goesOn;
        } finally {
            lock.unlock();
        }
    }

    /** Runs a probe if one is due. */
    void look(long now) {
        int noted = OutOfMemory.noted();
        boolean routine = looks++ % LOOKS_PER_ROUTINE == 0;
        if (noted == proven && !routine) {
            return;
        }
        switch (probe.apply(PROBE_LIMIT.toNanos())) {
            case PASSED -> {
                proven = noted;
                suspect = false;
                setDead(false);
            }
            case UNKNOWN -> suspect = false; // the time begins when there are sockets for a probe
            case FAILED -> {
                if (noted != proven) {
                    failed(now);
                } else if (control.apply(PROBE_LIMIT.toNanos())) {
                    OutOfMemory.note(); // nothing else ends a poller; the next look begins the time
                }
            }
        }
    }

    private void failed(long now) {
        if (!suspect) {
            suspect = true;
            suspectSince = now;
        } else if (now - suspectSince >= patience.toNanos()) {
            setDead(true);
            for (Registration server = last(); server != null; server = last()) {
                server.fail.accept(failure()); // again at the next look if this runs out of memory
                remove(server);
            }
        }
    }

    private void setDead(boolean isDead) {
        lock.lock();
        try {
            dead = isDead;
        } finally {
            lock.unlock();
        }
    }

    private @Nullable Registration last() {
        lock.lock();
        try {
            return servers.isEmpty() ? null : servers.getLast();
        } finally {
            lock.unlock();
        }
    }
}
