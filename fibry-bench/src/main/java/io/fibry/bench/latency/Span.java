package io.fibry.bench.latency;

import java.time.Duration;

/**
 * The durations of the measurement and of a warm-up round. The latter is as long as the measurement, but at most three
 * seconds.
 */
record Span(Duration measured) {

    private static final Duration ENOUGH = Duration.ofSeconds(3);

    static Span ofSeconds(double seconds) {
        return new Span(Duration.ofNanos(Math.round(seconds * 1e9)));
    }

    Duration warmUp() {
        return measured.compareTo(ENOUGH) < 0 ? measured : ENOUGH;
    }
}
