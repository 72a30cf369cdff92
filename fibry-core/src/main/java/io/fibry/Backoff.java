package io.fibry;

import java.time.Duration;
import java.util.Objects;

/**
 * The pauses before restarts: twice as long each time, up to the longest pause. Each pause is shortened at random by up
 * to a half, so that actors that failed together do not restart together. This is the "equal jitter" of Marc Brooker,
 * "Exponential Backoff And Jitter" (AWS Architecture Blog, 2015). Immutable.
 *
 * @param first the length of the first pause, before it is shortened
 * @param longest the maximum length of a pause
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
}
