package io.fibry.bench.report;

import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * A unit for the display of figures.
 *
 * @param name the name after the number
 * @param factor the number of these units in one unit of JMH
 */
record Unit(String name, double factor) {

    private static final Map<String, Double> NANOSECONDS =
            Map.of("ns/op", 1.0, "us/op", 1e3, "ms/op", 1e6, "s/op", 1e9, "ns", 1.0, "us", 1e3, "ms", 1e6);
    private static final Map<String, Double> PER_SECOND =
            Map.of("ops/s", 1.0, "ops/ms", 1e3, "ops/us", 1e6, "ops/ns", 1e9);
    private static final List<Unit> TIMES =
            List.of(new Unit("s", 1e-9), new Unit("ms", 1e-6), new Unit("µs", 1e-3), new Unit("ns", 1));
    private static final List<Unit> RATES = List.of(new Unit("million/s", 1e-6), new Unit("/s", 1));
    private static final List<Unit> SIZES =
            List.of(new Unit("GB", 1e-9), new Unit("MB", 1e-6), new Unit("kB", 1e-3), new Unit("B", 1));

    /**
     * Returns the unit for a set of figures.
     *
     * @param jmh the unit of the measurement: JMH's unit, or the unit of a secondary result
     * @param smallest the smallest of the figures, which gets at least one digit before the decimal point if possible
     */
    static Unit of(String jmh, double smallest) {
        if (NANOSECONDS.containsKey(jmh)) {
            return scaled(TIMES, size(jmh), smallest);
        }
        if (PER_SECOND.containsKey(jmh)) {
            return scaled(RATES, size(jmh), smallest);
        }
        if (jmh.equals("B") || jmh.equals("bytes") || jmh.equals("B/op")) {
            return scaled(SIZES, 1, smallest);
        }
        return new Unit(jmh.equals("#") ? "" : jmh, 1);
    }

    /** Returns the kind of a unit. Figures of one kind are comparable, regardless of their units. */
    static String kind(String jmh) {
        return NANOSECONDS.containsKey(jmh) ? "time" : PER_SECOND.containsKey(jmh) ? "rate" : jmh;
    }

    /** Returns the nanoseconds or operations per second in one unit of JMH; 1 for other units. */
    static double size(String jmh) {
        return NANOSECONDS.getOrDefault(jmh, PER_SECOND.getOrDefault(jmh, 1.0));
    }

    private static Unit scaled(List<Unit> largestFirst, double one, double smallest) {
        Unit unit = largestFirst.stream()
                .filter(u -> smallest * one * u.factor() >= 1)
                .findFirst()
                .orElse(largestFirst.get(largestFirst.size() - 1));
        return new Unit(unit.name(), unit.factor() * one);
    }

    double in(double value) {
        return value * factor;
    }

    /** Returns the number with three significant digits, and the unit. */
    String text(double value) {
        return (number(in(value)) + " " + name).strip();
    }

    static String number(double value) {
        if (!Double.isFinite(value)) {
            return "–"; // a ratio to zero
        }
        double size = Math.abs(value);
        int decimals = size >= 100 || size == 0 ? 0 : size >= 10 ? 1 : size >= 0.1 ? 2 : 3;
        return String.format(Locale.ROOT, "%,." + decimals + "f", value);
    }
}
