package io.fibry.flight;

import java.time.Duration;
import java.util.function.Supplier;
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

    private final Supplier<? extends ActorEvent> events;
    private final EventLimit limit = new EventLimit();

    /** Null if events have to be timed exactly, or are not recorded. */
    private volatile @Nullable Moment current;

    // The state of the thread that ticks.

    private @Nullable Moment latest;
    private @Nullable ActorEvent probe;
    private long probeBegan;
    private long ticks;
    private boolean isCoarse;

    CoarseTimer(Supplier<? extends ActorEvent> events) {
        this.events = events;
    }

    @Nullable
    Moment current() {
        return current;
    }

    /** Begins the next tick. Returns whether such events are recorded. Called by one thread. */
    boolean tick(long nanoTime) {
        ActorEvent event = events.get();
        if (!event.isEnabled()) {
            stop();
            return false;
        }
        event.begin();
        if (latest != null) {
            latest.endsWith(event); // before the next moment is visible: see endOfMoment
        }
        latest = new Moment(++ticks, nanoTime);
        findThreshold(event, nanoTime);
        current = isCoarse ? latest : null;
        return true;
    }

    /** Called by the same thread when it will not tick for some time: events are timed exactly. */
    void stop() {
        if (latest != null) {
            ActorEvent event = events.get();
            if (event.isEnabled()) {
                event.begin();
                latest.endsWith(event);
            }
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

    /** Returns the begin of what begins now: a tick, or an event. Null if such events are not recorded. */
    @Nullable
    EventStart begin() {
        Moment moment = current;
        return moment != null ? moment : beginExactly();
    }

    private @Nullable ActorEvent beginExactly() {
        ActorEvent event = events.get();
        if (!event.isEnabled()) {
            return null;
        }
        event.begin();
        return event;
    }

    /**
     * Called when something has ended that began here. Returns the ended event, to be described and written; null if it
     * is below the threshold, or there are too many.
     */
    @Nullable
    ActorEvent end(EventStart start) {
        return start instanceof Moment moment ? endOfMoment(moment) : endExactly((ActorEvent) start);
    }

    private @Nullable ActorEvent endOfMoment(Moment start) {
        Moment now = current;
        if (now == start || !start.isLong(now)) {
            return null;
        }
        boolean may = now == null ? limit.mayRecord() : limit.mayRecord(now.nanoTime());
        return may ? start.ended() : null;
    }

    private @Nullable ActorEvent endExactly(ActorEvent event) {
        event.end();
        return event.shouldCommit() && limit.mayRecord() ? event : null;
    }

    void write(ActorEvent event, Object actor) {
        event.write(actor, limit);
    }
}
