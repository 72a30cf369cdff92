package io.fibry.bench.report;

import java.util.List;
import java.util.Locale;

/**
 * The change of a figure between two runs.
 *
 * @param ratio the ratio of the new to the old cost of an operation, also for throughput; NaN if one of them is zero
 * @param verdict the evaluation of the ratio
 * @param text the ratio with its interval, as text
 */
record Change(Statistics.Ratio ratio, Verdict verdict, String text) {

    private static final Statistics.Ratio NONE = new Statistics.Ratio(Double.NaN, 0, Double.POSITIVE_INFINITY);

    /** The evaluation of a change with respect to the noise. */
    enum Verdict {
        BETTER,
        WORSE,
        /** Changed, for a neutral metric. */
        MOVED,
        SAME,
        /** There are too few forks for a verdict. */
        TOO_FEW,
        /** The units are not comparable. */
        UNKNOWN
    }

    /** Compares two figures, whose units may differ within one kind, such as ns and us. */
    static Change of(Figure before, Figure after, double level) {
        if (!Unit.kind(before.unit()).equals(Unit.kind(after.unit()))) {
            return new Change(NONE, Verdict.UNKNOWN, "(nothing to divide)");
        }
        List<Double> old = sized(before, 0);
        List<Double> now = sized(after, 0);
        if (old.equals(now) || (before.max() == 0 && after.max() == 0)) {
            return new Change(NONE, Verdict.SAME, "(nothing changed)");
        }
        if (old.contains(0.0) || now.contains(0.0)) {
            return ofCounts(before, after, level);
        }
        Statistics.Ratio ratio = ratio(old, now, level, after.moreIsBetter());
        return new Change(ratio, verdict(ratio, after), text(ratio));
    }

    /**
     * Compares figures that contain zeros, which have no ratio. If some forks are zero, all values are incremented by
     * one, which keeps their order; if all are zero, any other value is a change.
     */
    private static Change ofCounts(Figure before, Figure after, double level) {
        String text = "(from %s to %s)".formatted(range(before), range(after));
        if (before.max() == 0 || after.max() == 0) {
            boolean lessCost = (after.max() == 0) != after.moreIsBetter();
            return new Change(NONE, moved(lessCost, after), text);
        }
        Statistics.Ratio ratio = ratio(sized(before, 1), sized(after, 1), level, after.moreIsBetter());
        return new Change(NONE, verdict(ratio, after), text);
    }

    private static List<Double> sized(Figure figure, double more) {
        double size = Unit.size(figure.unit());
        return figure.forks().stream()
                .map(value -> value * size + more)
                .sorted()
                .toList();
    }

    private static Statistics.Ratio ratio(List<Double> before, List<Double> after, double level, boolean moreIsBetter) {
        return moreIsBetter ? Statistics.ratio(after, before, level) : Statistics.ratio(before, after, level);
    }

    private static Verdict verdict(Statistics.Ratio ratio, Figure figure) {
        if (!ratio.known()) {
            return Verdict.TOO_FEW;
        }
        return ratio.moved() ? moved(ratio.high() < 1, figure) : Verdict.SAME;
    }

    private static Verdict moved(boolean lessCost, Figure figure) {
        if (figure.question().isNeutral()) {
            return Verdict.MOVED;
        }
        return lessCost ? Verdict.BETTER : Verdict.WORSE;
    }

    private static String range(Figure figure) {
        String low = Unit.number(figure.min());
        String high = Unit.number(figure.max());
        return low.equals(high) ? low : low + " – " + high;
    }

    private static String text(Statistics.Ratio ratio) {
        return ratio.known()
                ? String.format(Locale.ROOT, "%.3f (%.3f to %.3f)", ratio.estimate(), ratio.low(), ratio.high())
                : String.format(Locale.ROOT, "%.3f (too few forks to tell)", ratio.estimate());
    }
}
