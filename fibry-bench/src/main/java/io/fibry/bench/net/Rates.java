package io.fibry.bench.net;

import java.util.List;

/** Figures of several rounds. */
final class Rates {

    private Rates() {}

    /** The value in the middle, the upper one of two. */
    static double median(List<Double> rounds) {
        return rounds.stream().sorted().toList().get(rounds.size() / 2);
    }
}
