package io.fibry.test;

import io.fibry.dispatch.Alarm;
import java.time.Instant;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/** The time of a simulation, and its pending alarms. Confined to the running thread. */
final class VirtualClock {

    /** A pending alarm. Alarms for the same time fire in the order in which they were set. */
    record Due(long at, long number, Alarm alarm) implements Comparable<Due> {
        @Override
        public int compareTo(Due other) {
            return at != other.at ? Long.compare(at, other.at) : Long.compare(number, other.number);
        }
    }

    private final Instant start;
    private final PriorityQueue<Due> alarms = new PriorityQueue<>();
    private long alarmsSet;
    private long now;

    VirtualClock(Instant start) {
        this.start = start;
    }

    /** Returns the nanoseconds since the start. */
    long now() {
        return now;
    }

    Instant instant() {
        return start.plusNanos(now);
    }

    void goOnTo(long time) {
        now = Math.max(now, time);
    }

    void set(Alarm alarm, long nanos) {
        long at = now + nanos;
        if (at >= 0) { // otherwise it is due in more than 290 years
            alarms.add(new Due(at, alarmsSet++, alarm));
        }
    }

    /** Returns the time of the next alarm, or {@link Long#MAX_VALUE} if none is set. */
    long nextDue() {
        Due next = next();
        return next == null ? Long.MAX_VALUE : next.at;
    }

    /** Removes the next alarm, and advances the time to it. */
    Due take() {
        Due next = next();
        if (next == null) {
            throw new IllegalStateException("no alarm is set");
        }
        alarms.remove();
        goOnTo(next.at);
        return next;
    }

    private @Nullable Due next() {
        Due next = alarms.peek();
        while (next != null && next.alarm.isCancelled()) {
            alarms.remove();
            next = alarms.peek();
        }
        return next;
    }
}
