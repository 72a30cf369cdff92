package io.fibry.sockets;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Argument checks for the values of options. */
public final class Checks {

    private Checks() {}

    public static void checkPositive(String name, int value) {
        if (value < 1) {
            throw new IllegalArgumentException(name + " must be at least 1, not " + value);
        }
    }

    /** Accepts null, which means no limit. */
    public static void checkPositive(String name, @Nullable Duration value) {
        if (value != null && (value.isZero() || value.isNegative())) {
            throw new IllegalArgumentException(name + " must be positive, not " + value);
        }
    }
}
