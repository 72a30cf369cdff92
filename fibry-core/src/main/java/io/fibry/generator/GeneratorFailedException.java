package io.fibry.generator;

/** The code of a generator has thrown a checked exception: the cause. */
public final class GeneratorFailedException extends RuntimeException {

    private static final long serialVersionUID = 1;

    GeneratorFailedException(String generator, Throwable cause) {
        super("generator " + generator + " has failed", cause);
    }
}
