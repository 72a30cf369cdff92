package io.fibry.generator;

/**
 * How far a {@link Generator} runs ahead of its reader. Immutable: the method with a parameter returns new options, and the method of
 * the same name without a parameter returns the value.
 */
public final class GeneratorOptions {

    private static final GeneratorOptions DEFAULTS = new GeneratorOptions(256);

    private final int buffer;

    private GeneratorOptions(int buffer) {
        this.buffer = buffer;
    }

    /** The defaults: up to 256 values wait for the reader. */
    public static GeneratorOptions defaults() {
        return DEFAULTS;
    }

    /**
     * Sets how many values may wait for the reader. Then the code waits.
     *
     * @throws IllegalArgumentException if the number is less than 1
     */
    public GeneratorOptions buffer(int values) {
        if (values < 1) {
            throw new IllegalArgumentException("buffer must be at least 1, not " + values);
        }
        return new GeneratorOptions(values);
    }

    public int buffer() {
        return buffer;
    }
}
