package io.fibry.bench.report;

import java.util.Collections;
import java.util.List;

/**
 * The result of one peer for one question.
 *
 * @param question the question
 * @param peer the name of the peer in the benchmark; empty if the benchmark has no peers
 * @param moreIsBetter whether the unit is a throughput rather than a cost
 * @param unit the unit in JMH's notation
 * @param forks a value for each fork, in the order of execution
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
     * Returns the ratios of the cost of an operation to the cost of the other peer, fork by fork: two adjacent forks
     * form a pair, because a change in the speed of the machine affects both. A ratio above 1 means that the other peer
     * is better, also for throughput.
     */
    List<Double> costsInUnitsOf(Figure other) {
        int pairs = Math.min(forks.size(), other.forks.size());
        return java.util.stream.IntStream.range(0, pairs)
                .mapToObj(i -> cost(forks.get(i)) / other.cost(other.forks.get(i)))
                .toList();
    }

    /** Returns the ratio of the medians, regardless of their forks. */
    double costOfMediansInUnitsOf(Figure other) {
        return cost(median()) / other.cost(other.median());
    }

    private double cost(double value) {
        return moreIsBetter ? 1 / value : value;
    }
}
