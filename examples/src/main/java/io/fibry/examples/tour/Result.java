package io.fibry.examples.tour;

import java.util.Locale;

/** Operations per second on platform threads and on virtual threads; zero if the measurement failed. */
public record Result(String name, Pace pace, double platform, double virtual) {

    boolean isComplete() {
        return platform > 0 && virtual > 0;
    }

    /** The speedup of virtual threads. */
    String ratio() {
        double ratio = virtual / platform;
        return String.format(Locale.ROOT, ratio < 10 ? "%.1f x" : "%,.0f x", ratio);
    }
}
