package io.fibry.test;

/**
 * A random number generator whose results are the same on all machines and for all versions of Java. The algorithm is
 * SplitMix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators, OOPSLA 2014).
 */
final class SplitMix {

    private static final long GAMMA = 0x9E3779B97F4A7C15L;
    private static final double UNIT = 0x1.0p-53;

    private long state;

    SplitMix(long seed) {
        state = seed * GAMMA; // separates the sequences of neighboring seeds
    }

    long next() {
        state += GAMMA;
        long z = state;
        z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }

    /** Returns a number from 0 (inclusive) to the bound (exclusive), which must be small. */
    int below(int bound) {
        return Math.floorMod(next() >>> 1, bound);
    }

    /** Returns a number from 0 (inclusive) to 1 (exclusive). */
    double unit() {
        return (next() >>> 11) * UNIT;
    }

    boolean onceIn(int times) {
        return below(times) == 0;
    }
}
