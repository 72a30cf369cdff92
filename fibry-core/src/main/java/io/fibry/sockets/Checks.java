package io.fibry.sockets;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Checks of the limits in options. */
public final class Checks {

    private Checks() {}

    public static void checkPositive(String name, int value) {
        if (value < 1) {
            throw new IllegalArgumentException(name + " has to be at least 1, and this one is " + value);
        }
    }

    /** Null, for no limit, is fine. */
    public static void checkPositive(String name, @Nullable Duration value) {
        if (value != null && (value.isZero() || value.isNegative())) {
            throw new IllegalArgumentException(name + " has to be positive, and this one is " + value);
        }
    }
}
