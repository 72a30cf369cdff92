package io.fibry.bench.report;

import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A performance goal.
 *
 * @param row the label in the table of goals
 * @param ours the measured figure
 * @param beside the reference figure; null if the limits are absolute
 * @param must the required limit: a number, or a fraction such as 1/12, of the cost of an operation
 * @param aim the desired limit; empty if there is none
 * @param isMinimum whether the limits are the lowest permitted values, as for a rate without a reference
 */
record Goal(String row, Side ours, @Nullable Side beside, String must, String aim, boolean isMinimum) {

    Goal(String row, Side ours, @Nullable Side beside, String must, String aim) {
        this(row, ours, beside, must, aim, false);
    }

    /**
     * A reference to a figure.
     *
     * @param question a regular expression for {@link Question#slug()}
     * @param peer the peer
     */
    record Side(String question, String peer) {

        boolean is(String slug, String name) {
            return slug.matches(question) && name.equals(peer);
        }

        @Nullable
        Figure find(List<Answers> all) {
            var pattern = Pattern.compile(question);
            return all.stream()
                    .filter(answers ->
                            pattern.matcher(answers.question().slug()).matches())
                    .map(answers -> answers.of(peer))
                    .filter(java.util.Objects::nonNull)
                    .findFirst()
                    .orElse(null);
        }
    }

    /** Returns whether the goal uses the figure of this peer for the question with this slug. */
    boolean needs(String slug, String peer) {
        return ours.is(slug, peer) || (beside != null && beside.is(slug, peer));
    }

    /**
     * The result of a goal.
     *
     * @param measured the figures and their ratio, as text
     * @param ofMedians the ratio of the medians, for information
     * @param verdict whether the goal is met
     */
    record Result(String measured, String ofMedians, String verdict) {}

    /** Returns whether a run includes the question of the goal, even without an answer. */
    boolean isAsked(List<Answers> all) {
        return all.stream().anyMatch(answers -> answers.question().slug().matches(ours.question()));
    }

    Result of(List<Answers> all) {
        Figure figure = ours.find(all);
        Figure other = beside == null ? null : beside.find(all);
        if (figure == null || (beside != null && other == null)) {
            return new Result("", "", "not measured");
        }
        if (other == null) {
            String measured = Unit.of(figure.unit(), figure.median()).text(figure.median());
            return new Result(measured, "", verdict(figure.median()));
        }
        double ratio = Statistics.median(figure.costsInUnitsOf(other));
        String measured = "%s ×: %s beside %s"
                .formatted(
                        Unit.number(ratio),
                        Unit.of(figure.unit(), figure.median()).text(figure.median()),
                        Unit.of(other.unit(), other.median()).text(other.median()));
        return new Result(measured, Unit.number(figure.costOfMediansInUnitsOf(other)) + " ×", verdict(ratio));
    }

    private String verdict(double value) {
        if (!aim.isEmpty() && isWithin(value, aim)) {
            return "aim met";
        }
        return isWithin(value, must) ? "met" : "**missed**";
    }

    private boolean isWithin(double value, String limit) {
        return isMinimum ? value >= number(limit) : value <= number(limit);
    }

    private static double number(String limit) {
        int slash = limit.indexOf('/');
        return slash < 0
                ? Double.parseDouble(limit)
                : Double.parseDouble(limit.substring(0, slash)) / Double.parseDouble(limit.substring(slash + 1));
    }
}
