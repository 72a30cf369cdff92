package io.fibry.entity;

import io.fibry.dispatch.Durations;
import io.fibry.dispatch.Time;
import java.time.Duration;

/**
 * A clock for the last uses of entities that only have an idle timeout. Its time is the number of checks for idle
 * entities until now, so to read it costs less than to read the time of day. One thread checks; any thread may read.
 */
final class IdleClock {

    /**
     * The number of checks during an idle timeout. An entity that was used between two checks is examined as if it was
     * used at the second one, and ends up to one period after it could: together an eighth of the timeout.
     */
    private static final int CHECKS = 16;

    private static final Duration SHORTEST_PERIOD = Duration.ofMillis(1);

    private final long timeout;
    private final long[] times = new long[CHECKS + 2]; // of the last checks
    private volatile long checks;

    IdleClock(Duration timeout) {
        this.timeout = Durations.limitedNanos(timeout);
    }

    /** Returns the time between two checks. */
    static Duration period(Duration timeout) {
        Duration part = timeout.dividedBy(CHECKS);
        return part.compareTo(SHORTEST_PERIOD) < 0 ? SHORTEST_PERIOD : part;
    }

    /** The time of a use that ends now. */
    long now() {
        return checks;
    }

    /**
     * Counts a check at this time of {@link Time#nanos}. Returns the latest time of this clock that has been over for
     * at least the idle timeout, or -1 if there is none. Checks may come late, so their real times are compared.
     */
    long check(long now) {
        long number = checks + 1;
        times[place(number)] = now;
        checks = number;
        long oldest = Math.max(1, number - times.length + 1);
        long end = number; // uses before it have a smaller time
        while (end >= oldest && now - times[place(end)] < timeout) {
            end--;
        }
        return end < oldest ? -1 : end - 1;
    }

    private int place(long number) {
        return (int) (number % times.length);
    }
}
