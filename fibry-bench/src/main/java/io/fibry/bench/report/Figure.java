package io.fibry.bench.report;

import java.util.Collections;
import java.util.List;

/**
 * What one peer needed for one question.
 *
 * @param question the question
 * @param peer the peer, as the benchmark names it; empty if the benchmark has no peers
 * @param moreIsBetter whether the unit counts operations in a time, and not the cost of an operation
 * @param unit as JMH writes it
 * @param forks a value for each fork, in the order in which they ran
 */
record Figure(Question question, String peer, boolean moreIsBetter, String unit, List<Double> forks) {

    double median() {
        return Statistics.median(forks);
    }

    double min() {
        return Collections.min(forks);
    }

    double max() {
        return Collections.max(forks);
    }

    /**
     * The cost of an operation in units of what the other peer paid for it, fork by fork: two forks that ran side by side make
     * a pair, so that a machine that changes its speed changes both. Above 1, the other one is better, also for throughput.
     */
    List<Double> costsInUnitsOf(Figure other) {
        int pairs = Math.min(forks.size(), other.forks.size());
        return java.util.stream.IntStream.range(0, pairs)
                .mapToObj(i -> cost(forks.get(i)) / other.cost(other.forks.get(i)))
                .toList();
    }

    /** The same for the medians, whichever forks they are of. */
    double costOfMediansInUnitsOf(Figure other) {
        return cost(median()) / other.cost(other.median());
    }

    private double cost(double value) {
        return moreIsBetter ? 1 / value : value;
    }
}
