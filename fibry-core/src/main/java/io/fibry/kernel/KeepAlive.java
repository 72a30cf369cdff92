package io.fibry.kernel;

import io.fibry.dispatch.OutOfMemory;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the JVM alive while actors are running. The threads of actors are daemons, and idle actors have none, so the
 * JVM would otherwise exit with unhandled messages when the main method has returned. One non-daemon thread watches all
 * running systems, and ends when none is left. Servers do not need this class: their own threads are not daemons.
 *
 * <p><b>No work is missed.</b> A thread that makes an actor ready from outside publishes the actor, <em>then</em> tests
 * the flag in {@link LocalSystem#active}. The watching thread clears the flag, <em>then</em> checks whether the system
 * is quiescent, and sets the flag again if it is not. All these accesses are volatile, so they are totally ordered. If
 * the test finds the flag clear, the testing thread registers the system for watching again. If it finds the flag set,
 * before the watching thread cleared it, the actor was published before the check, which finds it.
 */
final class KeepAlive implements Runnable {

    /** The time between two checks while the starting thread is alive, and keeps the JVM alive itself. */
    private static final Duration LONG_PERIOD = Duration.ofSeconds(1);

    /** The number of consecutive idle checks before the thread ends, if the starting thread is a daemon. */
    private static final int LAST_LOOKS = 3;

    private static final long SHORTEST_NANOS = Duration.ofMillis(1).toNanos();
    private static final long LONGEST_NANOS = Duration.ofMillis(100).toNanos();

    /** Acquired by {@link #acquire} only. */
    static final ReentrantLock LOCK = new ReentrantLock();

    /** A constant, so that it is linked at initialization: the JVM does not retry a linkage that ran out of memory. */
    private static final Predicate<LocalSystem> HAS_BECOME_QUIESCENT = KeepAlive::hasBecomeQuiescent;

    private static final Function<KeepAlive, Boolean> CHECK = KeepAlive::check;

    private static final Set<LocalSystem> ACTIVE = new HashSet<>(); // guarded by LOCK, as is the next
    private static @Nullable Thread watching;

    /** The thread that made the first actor ready; null if it is a daemon, which does not keep the JVM alive. */
    private final @Nullable Thread starter;

    private long pauseNanos = SHORTEST_NANOS;
    private int looksInVain;

    private KeepAlive(Thread starter) {
        this.starter = starter.isDaemon() ? null : starter; // virtual threads are daemons
    }

    /**
     * Keeps the JVM alive until the system is quiescent or closed. Leaves the flag clear if memory or threads run out:
     * the next actor that is made ready retries. The sender does not wait, since a thread may be missing for long.
     */
    static void watch(LocalSystem system) {
        try {
            add(system);
        } catch (OutOfMemoryError e) {
            OutOfMemory.note();
        }
    }

    /**
     * Acquires the lock without parking. While memory is exhausted, a virtual thread that parks keeps its carrier
     * thread. If all carrier threads waited here, the next owner, a virtual thread, would have none. No owner parks.
     */
    private static void acquire() {
        while (!LOCK.tryLock()) {
            OutOfMemory.yieldOrSpin();
        }
    }

    private static void add(LocalSystem system) {
        acquire();
        try {
            if (!system.isClosed()) {
                ACTIVE.add(system);
                if (watching == null) {
                    start();
                }
                system.setWatched(true);
            }
        } finally {
            LOCK.unlock();
        }
    }

    private static void start() {
        Thread thread = Thread.ofPlatform()
                .name("fibry-keep-alive")
                .daemon(false)
                .inheritInheritableThreadLocals(false)
                .unstarted(new KeepAlive(Thread.currentThread()));
        thread.start();
        watching = thread;
    }

    /** Stops watching a closed system: its remaining work must not delay the end of the JVM. */
    static void forget(LocalSystem system) {
        acquire();
        try {
            ACTIVE.remove(system);
            system.setWatched(false);
            Thread thread = watching;
            if (ACTIVE.isEmpty() && thread != null) {
                thread.interrupt();
            }
        } finally {
            LOCK.unlock();
        }
    }

    @Override
    public void run() {
        boolean goesOn = true;
        while (goesOn) {
            goesOn = OutOfMemory.get(CHECK, this); // no other thread would check again
        }
    }

    private boolean check() {
        return somethingIsActive(pause());
    }

    private boolean somethingIsActive(boolean lastIsClosed) {
        acquire();
        try {
            look();
            looksInVain = ACTIVE.isEmpty() ? looksInVain + 1 : 0;
            boolean ends = ACTIVE.isEmpty() && (starter != null || lastIsClosed || looksInVain == LAST_LOOKS);
            if (ends) {
                watching = null;
            }
            return !ends;
        } finally {
            LOCK.unlock();
        }
    }

    /** Stops watching the systems that have become quiescent. */
    static void look() {
        acquire();
        try {
            ACTIVE.removeIf(HAS_BECOME_QUIESCENT);
        } finally {
            LOCK.unlock();
        }
    }

    /** Whether the JVM is kept alive for this system. */
    static boolean watches(LocalSystem system) {
        acquire();
        try {
            return ACTIVE.contains(system);
        } finally {
            LOCK.unlock();
        }
    }

    private static boolean hasBecomeQuiescent(LocalSystem system) {
        system.setWatched(false);
        boolean quiescent = system.isQuiescent(); // read after the flag was cleared
        if (!quiescent) {
            system.setWatched(true);
        }
        return quiescent;
    }

    /**
     * Waits for the end of the starter, but no longer than {@link #LONG_PERIOD}. After its end, sleeps for increasing
     * periods. Returns true if the last system has been closed.
     */
    private boolean pause() {
        try {
            if (starter == null || !starter.isAlive()) {
                Thread.sleep(Duration.ofNanos(pauseNanos));
                pauseNanos = Math.min(2 * pauseNanos, LONGEST_NANOS);
            } else {
                starter.join(LONG_PERIOD);
            }
            return false;
        } catch (InterruptedException e) {
            return true; // forget(..) interrupts this thread
        }
    }
}
