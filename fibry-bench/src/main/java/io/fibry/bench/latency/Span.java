package io.fibry.bench.latency;

import java.time.Duration;

/** How long is measured, and how long the code warms up before that: as long, but three seconds are enough. */
record Span(Duration measured) {

    private static final Duration ENOUGH = Duration.ofSeconds(3);

    static Span ofSeconds(double seconds) {
        return new Span(Duration.ofNanos(Math.round(seconds * 1e9)));
    }

    Duration warmUp() {
        return measured.compareTo(ENOUGH) < 0 ? measured : ENOUGH;
    }
}
