package io.fibry.test;

import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Something that runs in a simulation, in its own order: an actor, the test itself, or an action that is due. Between two choices at
 * most one of them runs. All access is by the thread that runs.
 */
final class Strand {

    /** What a strand runs when it begins. */
    @FunctionalInterface
    interface Work {
        /** True if it has more to do, and is ready for it. */
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

    /** The thread that it was stopped on; null if it has to begin. */
    @Nullable
    Fiber fiber;

    /** A strand with a higher priority goes first, if the strategy has priorities. */
    double priority;

    // While it waits
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

    /** Waits until no other strand can go on. */
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

    /** Whether it waits no longer than this. Not for one that waits until nothing moves. */
    boolean canGoOn(long now) {
        BooleanSupplier c = condition;
        Fiber f = fiber;
        return c != null && (c.getAsBoolean() || now >= deadline || (interruptible && f != null && f.isInterrupted()));
    }

    /** When its wait ends in any case; {@link Long#MAX_VALUE} for never. */
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
