package io.fibry.bench.report;

import java.util.List;
import java.util.Locale;

/**
 * How a figure changed between two runs.
 *
 * @param ratio the cost of an operation after in units of that before, also for throughput
 * @param verdict what that means
 */
record Change(Statistics.Ratio ratio, Verdict verdict) {

    /** What moved, beyond the noise. */
    enum Verdict {
        FASTER,
        SLOWER,
        SAME,
        /** Too few forks, or units that have nothing in common. */
        UNKNOWN
    }

    /** Compares two figures; they may have different units of one kind, such as ns and us. */
    static Change of(Figure before, Figure after, double level) {
        if (!Unit.kind(before.unit()).equals(Unit.kind(after.unit()))) {
            return new Change(new Statistics.Ratio(Double.NaN, 0, Double.POSITIVE_INFINITY), Verdict.UNKNOWN);
        }
        List<Double> old = sized(before);
        List<Double> now = sized(after);
        Statistics.Ratio ratio =
                after.moreIsBetter() ? Statistics.ratio(now, old, level) : Statistics.ratio(old, now, level);
        return new Change(ratio, verdict(old, now, ratio));
    }

    private static List<Double> sized(Figure figure) {
        double size = Unit.size(figure.unit());
        return figure.forks().stream().map(value -> value * size).sorted().toList();
    }

    private static Verdict verdict(List<Double> before, List<Double> after, Statistics.Ratio ratio) {
        if (before.equals(after)) {
            return Verdict.SAME;
        }
        if (!ratio.known()) {
            return Verdict.UNKNOWN;
        }
        return !ratio.moved() ? Verdict.SAME : ratio.low() > 1 ? Verdict.SLOWER : Verdict.FASTER;
    }

    /** The ratio with its interval. */
    String text() {
        if (Double.isNaN(ratio.estimate())) {
            return "(nothing to divide)";
        }
        return ratio.known()
                ? String.format(Locale.ROOT, "%.3f (%.3f to %.3f)", ratio.estimate(), ratio.low(), ratio.high())
                : String.format(Locale.ROOT, "%.3f (too few forks to tell)", ratio.estimate());
    }
}
