package io.fibry.mapreduce;

/**
 * How many inputs a {@link MapReduce} maps at a time, and how many of them may fail. Immutable: each method with a parameter returns
 * new options, and the method of the same name without a parameter returns the value.
 */
public final class MapReduceOptions {

    private static final MapReduceOptions DEFAULTS =
            new MapReduceOptions(Runtime.getRuntime().availableProcessors(), 0);

    private final int parallelism;
    private final int maxFailures;

    private MapReduceOptions(int parallelism, int maxFailures) {
        this.parallelism = parallelism;
        this.maxFailures = maxFailures;
    }

    /** The defaults: as many inputs at a time as there are processors, and the first failure ends the run. */
    public static MapReduceOptions defaults() {
        return DEFAULTS;
    }

    /**
     * Limits how many inputs are mapped at a time.
     *
     * @throws IllegalArgumentException if the number is less than 1
     */
    public MapReduceOptions parallelism(int inputs) {
        if (inputs < 1) {
            throw new IllegalArgumentException("parallelism must be at least 1, not " + inputs);
        }
        return new MapReduceOptions(inputs, maxFailures);
    }

    /**
     * Sets how many inputs may fail. These are collected, and left out of the result. One more ends the run. The default is 0.
     *
     * @param inputs the number; {@code Integer.MAX_VALUE} for any number
     * @throws IllegalArgumentException if the number is negative
     */
    public MapReduceOptions maxFailures(int inputs) {
        if (inputs < 0) {
            throw new IllegalArgumentException("maxFailures must not be negative, but is " + inputs);
        }
        return new MapReduceOptions(parallelism, inputs);
    }

    // ---- the values

    public int parallelism() {
        return parallelism;
    }

    public int maxFailures() {
        return maxFailures;
    }
}
