package io.fibry.flight;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Times the events of one type to a tick, without a read of the clock and without an event for each message. Most
 * messages are far below the threshold, and would be timed for nothing.
 *
 * <p>A thread calls {@link #tick} about every millisecond. What begins between two ticks refers to the first of them, a
 * {@link Moment}. If it ends within the same tick, no event is necessary. Otherwise its event begins with the second
 * tick, and its duration is thus never too long.
 *
 * <p>For a threshold of a few ticks, this is too coarse: there is no current moment, and each event is timed exactly.
 * The timer finds the threshold by the result of {@code shouldCommit} for an event of known age.
 */
final class CoarseTimer {

    /** Thresholds below this value require exact times; those from twice this value do not. */
    private static final long PROBE_NANOS = Duration.ofMillis(5).toNanos();

    private final EventLimit limit;

    /** Null if events have to be timed exactly, or are not recorded. */
    private volatile @Nullable Moment current;

    // The state of the thread that ticks.

    private @Nullable Moment latest;
    private @Nullable ActorEvent probe;
    private long probeBegan;
    private long ticks;
    private boolean isCoarse;

    CoarseTimer(EventLimit limit) {
        this.limit = limit;
    }

    @Nullable
    Moment current() {
        return current;
    }

    /** Begins the next tick with a new event. Returns whether such events are recorded. Called by one thread. */
    boolean tick(ActorEvent event, long nanoTime) {
        if (!event.isEnabled()) {
            stop(null);
            return false;
        }
        event.begin();
        if (latest != null) {
            latest.endsWith(event); // before the next moment is visible: see finish
        }
        latest = new Moment(++ticks, nanoTime);
        findThreshold(event, nanoTime);
        current = isCoarse ? latest : null;
        return true;
    }

    /**
     * Called by the same thread when it will not tick for some time: events are timed exactly. The event is not begun;
     * it is null if such events are not recorded.
     */
    void stop(@Nullable ActorEvent event) {
        if (latest != null && event != null) {
            event.begin();
            latest.endsWith(event);
        }
        current = null;
        latest = null;
        probe = null;
        isCoarse = false;
    }

    /** The age of the probe is between the limits, unless this thread was delayed: then the next probe decides. */
    private void findThreshold(ActorEvent event, long nanoTime) {
        ActorEvent old = probe;
        long age = nanoTime - probeBegan;
        if (old != null && age < PROBE_NANOS) {
            return;
        }
        if (old != null && age < 2 * PROBE_NANOS) {
            ActorEvent copy = old.copy();
            copy.end();
            isCoarse = !copy.shouldCommit();
        }
        probe = event;
        probeBegan = nanoTime;
    }

    /**
     * Called when something has ended that began at this moment. Returns the ended event to describe and commit; null
     * if it is below the threshold, or there are too many.
     */
    @Nullable
    ActorEvent finish(Moment start) {
        Moment now = current;
        if (now == start || !start.isLong(now)) {
            return null;
        }
        boolean may = now == null ? limit.mayRecord() : limit.mayRecord(now.nanoTime());
        return may ? start.ended() : null;
    }
}
