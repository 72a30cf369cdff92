package io.fibry;

import org.jspecify.annotations.Nullable;

/**
 * A function that may throw a checked exception: the behavior of an actor that replies, or a question about the state
 * of a {@link Sink}. A {@link java.util.function.Function} is passed as {@code function::apply}.
 *
 * @param <T> the type of the argument
 * @param <R> the type of the result
 */
@FunctionalInterface
public interface ThrowingFunction<T extends @Nullable Object, R extends @Nullable Object> {

    /** Applies the function to an argument. */
    R apply(T value) throws Exception;
}
