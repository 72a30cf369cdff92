package io.fibry.generator;

import io.fibry.dispatch.LogText;

/**
 * Thrown to the reader when the code of a generator has thrown a checked exception or a
 * {@link java.util.concurrent.CancellationException}, which is the cause. The latter is wrapped because a Kotlin
 * coroutine that received it would end without a report.
 */
public final class GeneratorFailedException extends RuntimeException {

    private static final long serialVersionUID = 1;

    GeneratorFailedException(String generator, Throwable cause) {
        super("generator " + LogText.plain(generator) + " has failed", cause);
    }
}
