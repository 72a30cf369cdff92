package io.fibry.mapreduce;

/**
 * The options of a {@link MapReduce}: parallelism and tolerated failures. Immutable: each method with a parameter
 * returns new options, and the method of the same name without a parameter returns the value.
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

    /** Returns the defaults: as much parallelism as there are processors, and the first failure ends the run. */
    public static MapReduceOptions defaults() {
        return DEFAULTS;
    }

    /**
     * Limits the number of inputs that are mapped concurrently.
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
     * Sets the number of inputs that may fail. Their failures are collected, and the result omits them. A further
     * failure ends the run. The default is 0.
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
