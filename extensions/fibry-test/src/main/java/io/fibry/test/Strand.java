package io.fibry.test;

import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A sequential activity in a simulation: an actor, the test itself, or the action of an alarm. Between two choices, at
 * most one strand runs. Confined to the running thread.
 */
final class Strand {

    /** The code of a strand. */
    @FunctionalInterface
    interface Work {
        /** Runs the code. Returns true if the strand is ready to run again. */
        boolean run(Fiber fiber);

        static Work of(Runnable code) {
            return fiber -> {
                code.run();
                return false;
            };
        }
    }

    final int number;
    final String name;
    private final @Nullable Work work;

    /** The thread on which the strand is suspended; null if it has not begun. */
    @Nullable
    Fiber fiber;

    /** The priority, for strategies with priorities. The strand with the highest priority runs first. */
    double priority;

    // Set while the strand waits
    private @Nullable BooleanSupplier condition;
    private boolean interruptible;
    private boolean untilIdle;
    private long deadline = Long.MAX_VALUE;
    private String what = "";

    Strand(int number, String name, @Nullable Work work) {
        this.number = number;
        this.name = name;
        this.work = work;
    }

    boolean run(Fiber on) {
        return work != null && work.run(on);
    }

    // ---- its waits

    void waits(BooleanSupplier until, long atMostUntil, boolean mayBeInterrupted, String description) {
        condition = until;
        deadline = atMostUntil;
        interruptible = mayBeInterrupted;
        what = description;
    }

    /** Waits until no other strand can run. */
    void waitsUntilIdle() {
        untilIdle = true;
    }

    void waitsNoMore() {
        condition = null;
        deadline = Long.MAX_VALUE;
        interruptible = false;
        untilIdle = false;
        what = "";
    }

    boolean waits() {
        return condition != null || untilIdle;
    }

    boolean waitsForIdle() {
        return untilIdle;
    }

    /** Returns whether a wait for a condition ends now. Always false for a wait until the simulation is idle. */
    boolean canGoOn(long now) {
        BooleanSupplier c = condition;
        Fiber f = fiber;
        return c != null && (c.getAsBoolean() || now >= deadline || (interruptible && f != null && f.isInterrupted()));
    }

    /** Returns the deadline of the wait, or {@link Long#MAX_VALUE} if there is none. */
    long deadline() {
        return deadline;
    }

    String what() {
        return untilIdle ? "nothing more to happen" : what;
    }

    @Override
    public String toString() {
        return name;
    }
}
