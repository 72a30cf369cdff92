package io.fibry;

import java.time.Duration;
import java.util.Objects;

/** The maximum number of restarts within a period: the intensity and the period of OTP. Immutable. */
record RestartLimit(int restarts, Duration period) {

    static final int ANY = Integer.MAX_VALUE;
    static final RestartLimit NONE = new RestartLimit(ANY, Duration.ofSeconds(1));

    /** As in Elixir, whose supervisors end at the fourth failure within five seconds. */
    static final RestartLimit OF_SUPERVISORS = new RestartLimit(3, Duration.ofSeconds(5));

    RestartLimit {
        Objects.requireNonNull(period, "period");
        if (restarts < 0) {
            throw new IllegalArgumentException("there cannot be " + restarts + " restarts; use 0 for none");
        }
        if (period.isNegative() || period.isZero()) {
            throw new IllegalArgumentException("the period of a restart limit must be positive, not " + period);
        }
    }
}
