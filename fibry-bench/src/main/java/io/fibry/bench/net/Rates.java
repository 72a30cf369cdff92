package io.fibry.bench.net;

import java.util.List;

/** The results of several rounds. */
final class Rates {

    private Rates() {}

    /** Returns the median, or the upper one of two. */
    static double median(List<Double> rounds) {
        return rounds.stream().sorted().toList().get(rounds.size() / 2);
    }
}
