package io.fibry.bench.report;

import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerArray;

/**
 * Measures how long a cache line takes from one processor to another and back. A virtual machine may have processors of
 * one core at one time, and of distant cores at another. Work that passes messages between processors then takes
 * several times as long, so two forks are comparable only if this time was about the same for both.
 */
final class CacheLine {

    /** Far more than the noise of a measurement, and far less than the factor between the two states. */
    private static final double TOLERANCE = 2;

    private static final long SAMPLE_NANOS = TimeUnit.MILLISECONDS.toNanos(4);
    private static final int WARM_UPS = 10;
    private static final int SAMPLES = 5;
    private static final int TRIPS_BETWEEN_CLOCKS = 10;

    /** The index of the only element that is used, so that no other object is in its cache line. */
    private static final int MIDDLE = 32;

    private static final int ANSWERED = 0;
    private static final int ASKED = 1;
    private static final int END = 2;

    private final AtomicIntegerArray line = new AtomicIntegerArray(2 * MIDDLE);

    private CacheLine() {}

    /**
     * Returns the time of a round trip in nanoseconds, which is the median of several samples, or NaN if there is only
     * one processor. It takes 60 milliseconds and two processors.
     */
    static double roundTrip() {
        return Runtime.getRuntime().availableProcessors() < 2 ? Double.NaN : new CacheLine().measure();
    }

    /** Returns the time for a fork with these times before and after it: their mean, or NaN if it changed. */
    static double during(double before, double after) {
        return areComparable(before, after) ? (before + after) / 2 : Double.NaN;
    }

    /** Returns whether two times are known and about the same. */
    static boolean areComparable(double first, double second) {
        return Math.max(first, second) <= TOLERANCE * Math.min(first, second); // false if one is NaN
    }

    private double measure() {
        Thread.ofPlatform().name("cache-line").daemon().start(this::answer);
        for (int i = 0; i < WARM_UPS; i++) { // until the code of the first measurement is compiled
            sample();
        }
        double[] samples = new double[SAMPLES];
        for (int i = 0; i < SAMPLES; i++) {
            samples[i] = sample();
        }
        line.set(MIDDLE, END);
        Arrays.sort(samples);
        return samples[SAMPLES / 2];
    }

    private void answer() {
        int value;
        do {
            value = line.get(MIDDLE);
            if (value == ASKED) {
                line.set(MIDDLE, ANSWERED);
            }
        } while (value != END);
    }

    private double sample() {
        long start = System.nanoTime();
        long trips = 0;
        long duration;
        do {
            for (int i = 0; i < TRIPS_BETWEEN_CLOCKS; i++) {
                line.set(MIDDLE, ASKED);
                while (line.get(MIDDLE) == ASKED) {
                    // a pause would be part of the measured time
                }
            }
            trips += TRIPS_BETWEEN_CLOCKS;
            duration = System.nanoTime() - start;
        } while (duration < SAMPLE_NANOS);
        return (double) duration / trips;
    }
}
