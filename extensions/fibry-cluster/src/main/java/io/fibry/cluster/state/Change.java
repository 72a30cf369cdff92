package io.fibry.cluster.state;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a message does to an entity: the state after it, and the reply. See {@link Durable#handle}.
 *
 * @param state the new state; null if it stays as it is, and then nothing is stored
 * @param reply the reply to an ask
 * @param <S> the type of the state
 * @param <R> the type of the replies; {@link Void} if messages have none
 */
public record Change<S, R extends @Nullable Object>(
        @Nullable S state, R reply) {

    /** A new state, and a reply. It is stored also if it equals the state before. */
    public static <S, R extends @Nullable Object> Change<S, R> to(S state, R reply) {
        return new Change<>(Objects.requireNonNull(state, "state"), reply);
    }

    /** A new state, and no reply. */
    public static <S> Change<S, @Nullable Void> to(S state) {
        return to(state, null);
    }

    /** The state stays as it is: nothing is stored. */
    public static <S, R extends @Nullable Object> Change<S, R> none(R reply) {
        return new Change<>(null, reply);
    }
}
