package io.fibry.bench.report;

import java.util.List;
import java.util.Locale;

/**
 * How a figure changed between two runs.
 *
 * @param ratio the cost of an operation after in units of that before, also for throughput; of no number if one is nothing
 * @param verdict what that means
 * @param text the ratio with its interval, in words
 */
record Change(Statistics.Ratio ratio, Verdict verdict, String text) {

    private static final Statistics.Ratio NONE = new Statistics.Ratio(Double.NaN, 0, Double.POSITIVE_INFINITY);

    /** What moved, beyond the noise. */
    enum Verdict {
        BETTER,
        WORSE,
        /** It moved, and nobody says whether that is good. */
        MOVED,
        SAME,
        /** There are too few forks to tell. */
        TOO_FEW,
        /** The units have nothing in common. */
        UNKNOWN
    }

    /** Compares two figures; they may have different units of one kind, such as ns and us. */
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
     * Where nothing was found, nothing can be divided by it. If that is so in some forks, one more of all decides in the same
     * order; if in all, whatever is found now has changed.
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
