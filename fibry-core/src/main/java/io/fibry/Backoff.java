package io.fibry;

import io.fibry.dispatch.Durations;
import java.time.Duration;
import java.util.Objects;
import java.util.random.RandomGenerator;

/**
 * The pauses before restarts: twice as long each time, up to the longest pause. Each pause is shortened at random by up
 * to a half, so that actors that failed together do not restart together. This is the "equal jitter" of Marc Brooker,
 * "Exponential Backoff And Jitter" (AWS Architecture Blog, 2015). Immutable.
 *
 * @param first about the length of the first pause
 * @param longest the length that the pauses do not exceed
 */
public record Backoff(Duration first, Duration longest) {

    /** @throws IllegalArgumentException if the first pause is not positive, or longer than the longest */
    public Backoff {
        Objects.requireNonNull(first, "first");
        Objects.requireNonNull(longest, "longest");
        if (first.isNegative() || first.isZero() || longest.compareTo(first) < 0) {
            throw new IllegalArgumentException(
                    "the first pause must be positive and not longer than the longest: " + first + ", " + longest);
        }
    }

    /** Returns the pause before the restart with this number in a series, counted from 1. */
    public Duration pause(int number, RandomGenerator random) {
        double doubled = (double) Durations.nanos(first) * Math.pow(2, number - 1);
        long nanos = (long) Math.min(doubled, (double) Durations.nanos(longest));
        return Duration.ofNanos(nanos - random.nextLong(nanos / 2 + 1));
    }
}
