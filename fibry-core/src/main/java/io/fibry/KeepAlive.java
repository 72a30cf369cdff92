package io.fibry;

import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the JVM alive while actors are at work. The threads of actors are daemons, and idle actors have none. So without this the
 * JVM would end with unhandled messages when the main method has returned. While a system is at work, one non-daemon thread
 * watches it, and ends when no system is at work. Servers need none of this: their own threads are no daemons.
 *
 * <p><b>No work is missed.</b> A thread that makes an actor ready from outside publishes the actor, <em>then</em> tests the flag
 * in {@link LocalSystem#atWork}. The watching thread clears the flag, <em>then</em> checks whether the system is quiescent, and
 * sets the flag again if it is not. All these accesses are volatile, so they have one order. If the test finds the flag clear,
 * the testing thread has the system watched again. If it finds the flag set, before the watching thread cleared it, the actor was
 * published before the check, which finds it.
 */
final class KeepAlive implements Runnable {

    /** The time between two checks while the thread that began the work is alive, and keeps the JVM alive itself. */
    private static final Duration LONG_PERIOD = Duration.ofSeconds(1);

    /** How many checks in a row must find nothing at work before the thread ends, if the work was begun by a daemon thread. */
    private static final int LAST_LOOKS = 3;

    private static final long SHORTEST_NANOS = Duration.ofMillis(1).toNanos();
    private static final long LONGEST_NANOS = Duration.ofMillis(100).toNanos();

    private static final ReentrantLock LOCK = new ReentrantLock();
    /** A constant, so that it is linked at the start: Java does not try again to link what has run out of memory. */
    private static final Predicate<LocalSystem> HAS_BECOME_QUIESCENT = KeepAlive::hasBecomeQuiescent;

    private static final Set<LocalSystem> AT_WORK = new HashSet<>(); // guarded by LOCK, as is the next
    private static @Nullable Thread watching;

    /** The thread that began the work; null if it is a daemon, which does not keep the JVM alive. */
    private final @Nullable Thread starter;

    private long pauseNanos = SHORTEST_NANOS;
    private int looksInVain;

    private KeepAlive(Thread starter) {
        this.starter = starter.isDaemon() ? null : starter; // virtual threads are daemons
    }

    /**
     * Keeps the JVM alive until the system is quiescent or closed. Without memory for that, the next actor that is made ready
     * tries again.
     */
    static void watch(LocalSystem system) {
        try {
            LOCK.lock();
        } catch (OutOfMemoryError e) {
            return;
        }
        try {
            if (!system.isClosed() && AT_WORK.add(system)) {
                system.setWatched(true);
                if (watching == null) {
                    start();
                }
            }
        } catch (OutOfMemoryError e) {
            system.setWatched(false);
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
        try {
            thread.start();
            watching = thread;
        } catch (OutOfMemoryError e) {
            AT_WORK.forEach(system -> system.setWatched(false)); // the next actor that is made ready tries again
            AT_WORK.clear();
        }
    }

    /** Stops watching a system that has been closed: work that is left in it must not delay the end of the JVM. */
    static void forget(LocalSystem system) {
        LOCK.lock();
        try {
            AT_WORK.remove(system);
            system.setWatched(false);
            Thread thread = watching;
            if (AT_WORK.isEmpty() && thread != null) {
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
            try {
                goesOn = somethingIsAtWork(pause());
            } catch (OutOfMemoryError e) {
                goesOn = true; // nobody else would look again
            }
        }
    }

    private boolean somethingIsAtWork(boolean lastIsClosed) {
        LOCK.lock();
        try {
            look();
            looksInVain = AT_WORK.isEmpty() ? looksInVain + 1 : 0;
            boolean ends = AT_WORK.isEmpty() && (starter != null || lastIsClosed || looksInVain == LAST_LOOKS);
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
        LOCK.lock();
        try {
            AT_WORK.removeIf(HAS_BECOME_QUIESCENT);
        } finally {
            LOCK.unlock();
        }
    }

    /** Whether the JVM is kept alive for this system. */
    static boolean watches(LocalSystem system) {
        LOCK.lock();
        try {
            return AT_WORK.contains(system);
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
     * Waits for the end of the starter, but not longer than {@link #LONG_PERIOD}. After its end, waits longer each time. True if
     * the last system has been closed.
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
