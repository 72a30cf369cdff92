package io.fibry.cluster.state;

import org.jspecify.annotations.Nullable;

/**
 * The behavior of an entity whose state survives.
 *
 * @param <S> the type of the state, an immutable value
 * @param <M> the type of the messages
 * @param <R> the type of the replies
 */
public interface Durable<S, M, R extends @Nullable Object> {

    /** The state of an entity that was never stored. */
    S initial();
}
