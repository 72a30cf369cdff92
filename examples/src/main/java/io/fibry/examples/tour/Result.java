package io.fibry.examples.tour;

import java.util.Locale;

/** How often something was done per second on platform threads and on virtual threads; zero if it could not be measured. */
public record Result(String name, Pace pace, double platform, double virtual) {

    boolean isComplete() {
        return platform > 0 && virtual > 0;
    }

    /** How many times as fast virtual threads are. */
    String ratio() {
        double ratio = virtual / platform;
        return String.format(Locale.ROOT, ratio < 10 ? "%.1f x" : "%,.0f x", ratio);
    }
}
