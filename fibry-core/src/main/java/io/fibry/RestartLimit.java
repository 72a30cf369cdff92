package io.fibry;

import java.time.Duration;
import java.util.Objects;

/**
 * The maximum number of restarts within a period: the intensity and the period of OTP. Immutable.
 *
 * @param restarts the number of restarts; {@link Integer#MAX_VALUE} for no limit
 * @param period a positive period
 */
public record RestartLimit(int restarts, Duration period) {

    /** No limit. */
    public static final RestartLimit NONE = new RestartLimit(Integer.MAX_VALUE, Duration.ofSeconds(1));

    /** As in Elixir, whose supervisors end at the fourth failure within five seconds. */
    static final RestartLimit OF_SUPERVISORS = new RestartLimit(3, Duration.ofSeconds(5));

    /** @throws IllegalArgumentException if the number is negative, or the period is not positive */
    public RestartLimit {
        Objects.requireNonNull(period, "period");
        if (restarts < 0) {
            throw new IllegalArgumentException("there cannot be " + restarts + " restarts; use 0 for none");
        }
        if (period.isNegative() || period.isZero()) {
            throw new IllegalArgumentException("the period of a restart limit must be positive, not " + period);
        }
    }

    /** Returns whether the number of restarts is unlimited. */
    public boolean isUnlimited() {
        return restarts == Integer.MAX_VALUE;
    }
}
