package io.fibry.flight;

import org.jspecify.annotations.Nullable;

/**
 * A tick of a {@link CoarseTimer}: the shared beginning of all that begins before the next tick. Thread-safe.
 *
 * <p>It refers to the event that begins with the next tick, and not to that tick: a message that is never handled would
 * otherwise keep all later ticks in memory.
 */
final class Moment implements EventStart {

    /** Counts from 1. */
    private final long number;

    private final long nanoTime;

    /** Began with the next tick, which is later than all that began here; null until then. */
    private volatile @Nullable ActorEvent next;

    /**
     * The last result of {@link #isLong}: twice the number of the tick, plus 1 for true. One field, so that threads
     * that race never combine two results. The many messages of a tick are often handled in another one: only the
     * first of them computes the result.
     */
    private long result;

    Moment(long number, long nanoTime) {
        this.number = number;
        this.nanoTime = nanoTime;
    }

    long nanoTime() {
        return nanoTime;
    }

    void endsWith(ActorEvent event) {
        next = event;
    }

    /** Whether what began here is above the threshold. {@code now} is null if the timer has been stopped. */
    boolean isLong(@Nullable Moment now) {
        long r = result;
        if (now != null && r >> 1 == now.number) {
            return (r & 1) != 0;
        }
        ActorEvent event = ended();
        boolean isLong = event != null && event.shouldCommit();
        if (now != null) {
            result = now.number << 1 | (isLong ? 1 : 0);
        }
        return isLong;
    }

    /** A new event from the end of this tick until now; null if the events are not recorded. */
    @Nullable
    ActorEvent ended() {
        ActorEvent begun = next;
        if (begun == null) {
            return null;
        }
        ActorEvent event = begun.copy();
        event.end();
        return event;
    }
}
