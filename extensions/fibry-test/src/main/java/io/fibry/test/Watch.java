package io.fibry.test;

import io.fibry.dispatch.Stacks;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Notices a thread of a simulation that waits for something which the simulation does not know of: then nothing moves any more. One
 * thread looks at all simulations, every few milliseconds. So a sleep is found if it is long, or if it comes often.
 */
final class Watch {

    private static final long PERIOD_NANOS = Duration.ofMillis(5).toNanos();

    /** A wait of this length is no accident, such as a lock of the logger that another test has. */
    private static final long LONG_WAIT_NANOS = Duration.ofSeconds(1).toNanos();

    /** How long a thread that was interrupted may take to end. */
    private static final long GRACE_NANOS = Duration.ofSeconds(2).toNanos();

    private static final List<Watch> ALL = new CopyOnWriteArrayList<>();
    private static final ReentrantLock LOCK = new ReentrantLock();
    private static @Nullable Thread thread; // guarded by the lock

    /** Whether the thread of the test is watched too, at what it does between its calls. */
    private final boolean alsoTest;

    private final Consumer<AssertionError> giveUp;
    private volatile @Nullable Simulation simulation;

    // Of the watching thread
    private @Nullable Simulation seen;
    private int seenSteps;
    private long since;
    private @Nullable AssertionError told;

    private Watch(boolean alsoTest, Consumer<AssertionError> giveUp) {
        this.alsoTest = alsoTest;
        this.giveUp = giveUp;
    }

    static Watch begin(boolean alsoTest, Consumer<AssertionError> giveUp) {
        var watch = new Watch(alsoTest, giveUp);
        ALL.add(watch);
        startThread();
        return watch;
    }

    private static void startThread() {
        LOCK.lock();
        try {
            if (thread == null) {
                thread = Thread.ofPlatform().name("fibry-test-watch").daemon().start(Watch::watch);
            }
        } finally {
            LOCK.unlock();
        }
    }

    void look(Simulation next) {
        simulation = next;
    }

    void end() {
        ALL.remove(this);
    }

    private static void watch() {
        while (goesOn()) {
            LockSupport.parkNanos(PERIOD_NANOS);
            ALL.forEach(Watch::look);
        }
    }

    private static boolean goesOn() {
        LOCK.lock();
        try {
            if (ALL.isEmpty()) {
                thread = null;
            }
            return thread != null;
        } finally {
            LOCK.unlock();
        }
    }

    private void look() {
        Simulation s = simulation;
        if (s == null) {
            return;
        }
        int steps = s.steps();
        long now = System.nanoTime();
        if (s != seen || steps != seenSteps) {
            seen = s;
            seenSteps = steps;
            since = now;
            told = null;
            return;
        }
        AssertionError before = told;
        if (before != null) {
            if (now - since > GRACE_NANOS) {
                giveUp.accept(before);
            }
            return;
        }
        Strand strand = s.current();
        Fiber fiber = strand.fiber;
        if (fiber != null && (alsoTest || !s.isTest(strand))) {
            AssertionError how = waitsFor(strand, fiber.thread(), now);
            if (how != null && s.steps() == steps) {
                told = how;
                since = now;
                s.fail(how);
                fiber.thread().interrupt();
            }
        }
    }

    /** What the thread does that it should not do; null if nothing is known of it. */
    private @Nullable AssertionError waitsFor(Strand strand, Thread of, long now) {
        Thread.State state = of.getState();
        boolean waits = state == Thread.State.WAITING || state == Thread.State.BLOCKED;
        if (state != Thread.State.TIMED_WAITING && !(waits && now - since > LONG_WAIT_NANOS)) {
            return null;
        }
        StackTraceElement[] stack = Stacks.of(of);
        String place = place(stack);
        boolean sleeps = place.startsWith("java.lang.Thread.sleep");
        if (!sleeps && now - since <= LONG_WAIT_NANOS) {
            return null;
        }
        String text = strand
                + (sleeps
                        ? " sleeps in real time, at "
                        : " waits for something that is not under the control of the test, at ")
                + place
                + (sleeps
                        ? "; use a timer, or retry with a later message"
                        : "; wait for an ask, or for a future with TestSystem.await");
        var how = new AssertionError(text);
        how.setStackTrace(stack);
        return how;
    }

    /** The first frame that is not one of the JDK's own, after the method that was called there. */
    private static String place(StackTraceElement[] stack) {
        String called = "";
        for (StackTraceElement frame : stack) {
            String type = frame.getClassName();
            boolean inner = type.startsWith("java.") || type.startsWith("jdk.");
            if (!inner) {
                return called + (called.isEmpty() ? "" : ", called by ") + frame;
            }
            called = type + "." + frame.getMethodName();
        }
        return called;
    }
}
