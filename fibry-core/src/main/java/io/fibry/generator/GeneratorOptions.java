package io.fibry.generator;

/**
 * The options of a {@link Generator}. Immutable: the method with a parameter returns new options, and the method of the
 * same name without a parameter returns the value.
 */
public final class GeneratorOptions {

    private static final GeneratorOptions DEFAULTS = new GeneratorOptions(256);

    private final int buffer;

    private GeneratorOptions(int buffer) {
        this.buffer = buffer;
    }

    /** Returns the defaults: a buffer of 256 values. */
    public static GeneratorOptions defaults() {
        return DEFAULTS;
    }

    /**
     * Sets the maximum number of unread values. While there are as many, the code blocks.
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
