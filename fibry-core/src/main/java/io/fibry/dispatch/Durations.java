package io.fibry.dispatch;

import java.time.Duration;
import java.util.Objects;

/** Arithmetic on durations that may exceed {@code Long.MAX_VALUE} nanoseconds. */
public final class Durations {

    public static final Duration FOREVER = Duration.ofNanos(Long.MAX_VALUE);

    /**
     * About 73 years. Its sum with a value of {@link Time#nanos}, or with itself, does not overflow in comparisons by
     * subtraction.
     */
    private static final long LONGEST_NANOS = Long.MAX_VALUE / 4;

    private Durations() {}

    /**
     * Checks an argument.
     *
     * @param what the name of the parameter
     * @throws IllegalArgumentException if it is negative
     */
    public static Duration notNegative(String what, Duration duration) {
        if (Objects.requireNonNull(duration, what).isNegative()) {
            throw new IllegalArgumentException(
                    what + " must not be negative, but is " + duration + "; use Duration.ZERO for at once");
        }
        return duration;
    }

    /** As {@link #notNegative}, and also not zero. */
    public static Duration positive(String what, Duration duration) {
        if (!Objects.requireNonNull(duration, what).isPositive()) {
            throw new IllegalArgumentException(what + " must be positive, not " + duration);
        }
        return duration;
    }

    /** A duration in nanoseconds, at most {@code Long.MAX_VALUE}; 0 if it is negative. */
    public static long nanos(Duration duration) {
        if (duration.isNegative()) {
            return 0;
        }
        return duration.compareTo(FOREVER) >= 0 ? Long.MAX_VALUE : duration.toNanos();
    }

    /** As {@link #nanos}, but limited so that the difference of two times at this distance does not overflow. */
    public static long limitedNanos(Duration duration) {
        return Math.min(nanos(duration), LONGEST_NANOS);
    }

    /** The value of {@link Time#nanos} at which this duration from now has passed. Compare it by subtraction only. */
    public static long deadline(Duration fromNow) {
        return Time.nanos() + limitedNanos(fromNow);
    }
}
