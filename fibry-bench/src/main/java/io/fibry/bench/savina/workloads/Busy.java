package io.fibry.bench.savina.workloads;

import java.util.SplittableRandom;

/** Work that only keeps a processor busy. */
final class Busy {

    private Busy() {}

    /**
     * Draws this number of random numbers. The result depends on all of them, so that a compiler cannot eliminate them.
     */
    static int work(SplittableRandom random, int steps) {
        int sum = 1;
        for (int i = 0; i < steps; i++) {
            sum |= random.nextInt(1 << 30);
        }
        return sum;
    }
}
