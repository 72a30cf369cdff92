package io.fibry.examples.tour;

import io.fibry.ActorSystem;
import io.fibry.ThreadStrategy;
import java.time.Duration;
import java.util.Arrays;

/** Measures both strategies alternately: one warm-up round and three measured rounds each. The result is the median. */
public final class Comparison {

    private static final int ROUNDS = 3;

    private final Duration round;

    public Comparison(Duration round) {
        this.round = round;
    }

    /** Measures, and prints the progress. */
    public Result of(String name, Pace pace, Measure measure) {
        System.out.printf("%n%s%n", name);
        Result result = new Result(name, pace, 0, 0);
        try {
            result = measure(name, pace, measure);
        } catch (Exception e) {
            System.out.printf("  failed: %s%n", e);
        }
        if (!measure.remark().isEmpty()) {
            System.out.printf("  %s%n", measure.remark());
        }
        return result;
    }

    private Result measure(String name, Pace pace, Measure measure) throws Exception {
        var platform = new double[ROUNDS];
        var virtual = new double[ROUNDS];
        for (int i = -1; i < ROUNDS; i++) { // round -1 is the warm-up
            double p = once(measure, ThreadStrategy.platform());
            double v = once(measure, ThreadStrategy.virtual());
            if (i >= 0) {
                platform[i] = p;
                virtual[i] = v;
            }
            System.out.printf(
                    "  %-8s platform %12s   virtual %12s%n",
                    i < 0 ? "warm-up" : "round " + (i + 1), pace.format(p), pace.format(v));
        }
        return new Result(name, pace, median(platform), median(virtual));
    }

    /** Measures once, in a separate system, so that rounds do not affect each other. */
    private double once(Measure measure, ThreadStrategy strategy) throws Exception {
        try (ActorSystem system = ActorSystem.create(strategy)) {
            return measure.perSecond(system, round);
        }
    }

    private static double median(double[] values) {
        Arrays.sort(values);
        return values[values.length / 2];
    }
}
