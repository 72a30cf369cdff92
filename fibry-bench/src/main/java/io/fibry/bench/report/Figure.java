package io.fibry.bench.report;

import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The result of one peer for one question.
 *
 * @param question the question
 * @param peer the name of the peer in the benchmark; empty if the benchmark has no peers
 * @param moreIsBetter whether the unit is a throughput rather than a cost
 * @param unit the unit in JMH's notation
 * @param forks a value for each fork, in the order of execution
 * @param roundTrips {@link CacheLine#during} for each fork; empty if not measured
 */
record Figure(
        Question question,
        String peer,
        boolean moreIsBetter,
        String unit,
        List<Double> forks,
        List<Double> roundTrips) {

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
     * form a pair, because a change in the speed of the machine affects both. Pairs whose forks had different or
     * unknown round trips of a cache line are left out if most pairs remain: the median of few pairs would be less
     * certain than that of all. A ratio above 1 means that the other peer is better, also for throughput.
     */
    List<Double> costsInUnitsOf(Figure other) {
        List<Integer> pairs = IntStream.range(0, Math.min(forks.size(), other.forks.size()))
                .boxed()
                .toList();
        List<Integer> comparable = pairs.stream()
                .filter(i -> CacheLine.areComparable(roundTrip(i), other.roundTrip(i)))
                .toList();
        List<Integer> used = 2 * comparable.size() > pairs.size() ? comparable : pairs;
        return used.stream()
                .map(i -> cost(forks.get(i)) / other.cost(other.forks.get(i)))
                .toList();
    }

    private double roundTrip(int fork) {
        return fork < roundTrips.size() ? roundTrips.get(fork) : Double.NaN;
    }

    /** Returns the ratio of the medians, regardless of their forks. */
    double costOfMediansInUnitsOf(Figure other) {
        return cost(median()) / other.cost(other.median());
    }

    private double cost(double value) {
        return moreIsBetter ? 1 / value : value;
    }
}
