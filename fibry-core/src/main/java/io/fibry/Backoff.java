package io.fibry;

import io.fibry.dispatch.Durations;
import java.time.Duration;
import java.util.Objects;
import java.util.random.RandomGenerator;

/**
 * How long to wait before a restart: twice as long each time, up to the longest pause; half of that is left to chance, so that
 * those who failed together do not come back together. This is the "equal jitter" of Marc Brooker, "Exponential Backoff And
 * Jitter" (AWS Architecture Blog, 2015). Immutable.
 */
record Backoff(Duration first, Duration longest) {

    Backoff {
        Objects.requireNonNull(first, "first");
        Objects.requireNonNull(longest, "longest");
        if (first.isNegative() || first.isZero() || longest.compareTo(first) < 0) {
            throw new IllegalArgumentException(
                    "the first pause must be positive and not longer than the longest: " + first + ", " + longest);
        }
    }

    /** Before the restart with this number, counted from 1, of a row. */
    Duration pause(int number, RandomGenerator random) {
        double doubled = (double) Durations.nanos(first) * Math.pow(2, number - 1);
        long nanos = (long) Math.min(doubled, (double) Durations.nanos(longest));
        return Duration.ofNanos(nanos - random.nextLong(nanos / 2 + 1));
    }
}
