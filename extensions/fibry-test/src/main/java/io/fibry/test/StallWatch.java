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
 * Notices a thread of a simulation that waits for something which the simulation does not know of: then nothing moves
 * any more. One thread looks at all simulations, every few milliseconds. So a sleep is found if it is long, or if it
 * comes often. The thread of a plain test may wait for something else, such as a thread of the program, but not for a
 * future that depends on asks.
 */
final class StallWatch {

    private static final long PERIOD_NANOS = Duration.ofMillis(5).toNanos();

    /** A wait of this length is not accidental; a short one may be for a lock of the logger that another test holds. */
    private static final long LONG_WAIT_NANOS = Duration.ofSeconds(1).toNanos();

    /** The time that an interrupted thread may take to end. */
    private static final long GRACE_NANOS = Duration.ofSeconds(2).toNanos();

    private static final List<StallWatch> ALL = new CopyOnWriteArrayList<>();
    private static final ReentrantLock LOCK = new ReentrantLock();
    private static @Nullable Thread thread; // guarded by LOCK

    /** Whether the thread of the test is also watched between its calls. */
    private final boolean alsoTest;

    private final Consumer<AssertionError> giveUp;
    private volatile @Nullable Simulation simulation;

    // Confined to the watching thread
    private @Nullable Simulation seen;
    private int seenSteps;
    private long since;
    private @Nullable AssertionError reported;

    private StallWatch(boolean alsoTest, Consumer<AssertionError> giveUp) {
        this.alsoTest = alsoTest;
        this.giveUp = giveUp;
    }

    static StallWatch begin(boolean alsoTest, Consumer<AssertionError> giveUp) {
        var watch = new StallWatch(alsoTest, giveUp);
        ALL.add(watch);
        startThread();
        return watch;
    }

    private static void startThread() {
        LOCK.lock();
        try {
            if (thread == null) {
                thread = Thread.ofPlatform().name("fibry-test-watch").daemon().start(StallWatch::watch);
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
            ALL.forEach(StallWatch::look);
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
            reported = null;
            return;
        }
        AssertionError before = reported;
        if (before != null) {
            if (now - since > GRACE_NANOS) {
                simulation = null;
                giveUp.accept(before);
            }
            return;
        }
        Strand strand = s.current();
        Fiber fiber = strand.fiber;
        if (fiber != null) {
            AssertionError how = problem(s, strand, fiber.thread(), now);
            if (how != null && s.steps() == steps) {
                reported = how;
                since = now;
                s.fail(how);
                if (alsoTest || !s.isTest(strand)) { // the thread of a plain test outlives it
                    fiber.thread().interrupt();
                }
                s.futures().fail(how); // join ignores an interrupt
            }
        }
    }

    /**
     * The error of a thread that waits for something which the simulation does not know; null if it may wait, or if it
     * runs.
     */
    private @Nullable AssertionError problem(Simulation s, Strand strand, Thread thread, long now) {
        Thread.State state = thread.getState();
        boolean isLong = now - since > LONG_WAIT_NANOS;
        boolean waits = state == Thread.State.WAITING || state == Thread.State.BLOCKED;
        if (state != Thread.State.TIMED_WAITING && !(waits && isLong)) {
            return null;
        }
        StackTraceElement[] stack = Stacks.of(thread);
        String place = place(stack);
        boolean sleeps = place.startsWith("java.lang.Thread.sleep");
        boolean ofAsks = place.startsWith("java.util.concurrent.CompletableFuture.")
                && s.futures().haveDependents();
        boolean mayWait = s.isTest(strand) && !alsoTest && !ofAsks;
        if (mayWait || !(sleeps || isLong)) {
            return null;
        }
        String text = switch (place) {
            case String p
            when sleeps ->
                " sleeps in real time, at " + p
                        + "; use a timer of its context, or context.pause, which follow the time of the test";
            case String p
            when ofAsks ->
                " waits for a future that is not under the control of the test, at " + p
                        + "; combine asks with io.fibry.Asks.all or first in place of CompletableFuture.allOf or"
                        + " anyOf, or wait with TestSystem.await(future)";
            case String p ->
                " waits for something that is not under the control of the test, at " + p
                        + "; wait for an ask, or for a future with TestSystem.await";
        };
        var how = new AssertionError(strand + text);
        how.setStackTrace(stack);
        return how;
    }

    /** Returns the called method of the JDK and its first caller outside the JDK. */
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
