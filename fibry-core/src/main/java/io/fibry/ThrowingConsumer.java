package io.fibry;

import org.jspecify.annotations.Nullable;

/**
 * Code that takes a value and may throw a checked exception: the behavior of an actor that does not reply, or code for
 * the state of a {@link Sink}. A {@link java.util.function.Consumer} is passed as {@code consumer::accept}.
 *
 * @param <T> the type of the value
 */
@FunctionalInterface
public interface ThrowingConsumer<T extends @Nullable Object> {

    /** Handles a value. */
    void accept(T value) throws Exception;
}
