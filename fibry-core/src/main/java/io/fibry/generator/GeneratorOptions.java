package io.fibry.generator;

/**
 * The options of a {@link Generator}. Immutable: the method with a parameter returns new options, and the method of the
 * same name without a parameter returns the value.
 */
public final class GeneratorOptions {

    private static final GeneratorOptions DEFAULTS = new GeneratorOptions(256);

    /** The length of the longest array of common JVMs. */
    private static final int MAX_BUFFER = Integer.MAX_VALUE - 8;

    private final int buffer;

    private GeneratorOptions(int buffer) {
        this.buffer = buffer;
    }

    /** Returns the defaults: a buffer of 256 values. */
    public static GeneratorOptions defaults() {
        return DEFAULTS;
    }

    /**
     * Sets the maximum number of unread values. While there are as many, the code blocks. The generator allocates room
     * for all of them when it starts.
     *
     * @throws IllegalArgumentException if the number is less than 1 or more than 2,147,483,639
     */
    public GeneratorOptions buffer(int values) {
        if (values < 1) {
            throw new IllegalArgumentException("buffer must be at least 1, not " + values);
        }
        if (values > MAX_BUFFER) {
            throw new IllegalArgumentException("buffer must be at most " + MAX_BUFFER + ", not " + values
                    + "; choose a small one, since the generator allocates all of it when it starts");
        }
        return new GeneratorOptions(values);
    }

    public int buffer() {
        return buffer;
    }
}
