package io.fibry.generator;

/** Thrown to the reader when the code of a generator has thrown a checked exception, which is the cause. */
public final class GeneratorFailedException extends RuntimeException {

    private static final long serialVersionUID = 1;

    GeneratorFailedException(String generator, Throwable cause) {
        super("generator " + generator + " has failed", cause);
    }
}
