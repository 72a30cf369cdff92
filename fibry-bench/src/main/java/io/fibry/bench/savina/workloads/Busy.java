package io.fibry.bench.savina.workloads;

import java.util.SplittableRandom;

/** Work for an actor that only keeps a processor busy. */
final class Busy {

    private Busy() {}

    /** Draws so many random numbers. Returns what depends on all of them, so that no compiler leaves them out. */
    static int work(SplittableRandom random, int steps) {
        int sum = 1;
        for (int i = 0; i < steps; i++) {
            sum |= random.nextInt(1 << 30);
        }
        return sum;
    }
}
