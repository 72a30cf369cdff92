package io.fibry.bench;

/**
 * How much a benchmark does. The system property {@code fibry.bench.divisor} divides the counts, so that a smoke run is
 * short; the figures mean nothing then, because JMH divides the time by the full counts.
 */
final class Scale {

    private static final int DIVISOR = Integer.getInteger("fibry.bench.divisor", 1);

    private Scale() {}

    static int of(int count) {
        return Math.max(1, count / DIVISOR);
    }
}
