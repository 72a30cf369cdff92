package io.fibry.kernel;

import java.time.Duration;
import java.time.format.DateTimeParseException;
import org.jspecify.annotations.Nullable;

/**
 * The time that {@code close} waits before each harder step after the deadline. Tests shorten it by a system property.
 */
final class CloseGrace {

    static final String PROPERTY = "io.fibry.closeGrace";

    static final Duration DEFAULT = Duration.ofSeconds(1);

    private static final Duration LONGEST = Duration.ofHours(1);

    private CloseGrace() {}

    /** Throws if the property has an invalid value. Called when a system starts, so that its close does not fail. */
    static void check() {
        fromProperty();
    }

    static Duration fromProperty() {
        return parse(System.getProperty(PROPERTY));
    }

    static Duration parse(@Nullable String value) {
        if (value == null) {
            return DEFAULT;
        }
        try {
            Duration grace = Duration.parse(value);
            if (grace.isPositive() && grace.compareTo(LONGEST) <= 0) {
                return grace;
            }
            throw invalid(value, null);
        } catch (DateTimeParseException e) {
            throw invalid(value, e);
        }
    }

    private static IllegalArgumentException invalid(String value, @Nullable Exception cause) {
        return new IllegalArgumentException(
                "The system property " + PROPERTY + " has to be a duration such as PT0.5S, positive and at most "
                        + LONGEST + ", and it is \"" + value + "\"",
                cause);
    }
}
