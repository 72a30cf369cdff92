package io.fibry.dispatch;

import java.time.Duration;

/** Arithmetic on durations that may be longer than a long has nanoseconds. */
public final class Durations {

    public static final Duration FOREVER = Duration.ofNanos(Long.MAX_VALUE);

    /** As good as never: and a sum of it with a reading of {@link System#nanoTime}, or two of it, does not overflow. */
    private static final long LONGEST_NANOS = Long.MAX_VALUE / 4;

    private Durations() {}

    /** A duration in nanoseconds, or as near as a long comes to it; 0 if it is negative. */
    public static long nanos(Duration duration) {
        if (duration.isNegative()) {
            return 0;
        }
        return duration.compareTo(FOREVER) >= 0 ? Long.MAX_VALUE : duration.toNanos();
    }

    /** The same, but short enough that differences of two times that far apart do not overflow. */
    public static long limitedNanos(Duration duration) {
        return Math.min(nanos(duration), LONGEST_NANOS);
    }

    /** The time of {@link System#nanoTime} when a duration from now is over. Compare it by subtraction only. */
    public static long deadline(Duration fromNow) {
        return System.nanoTime() + limitedNanos(fromNow);
    }
}
