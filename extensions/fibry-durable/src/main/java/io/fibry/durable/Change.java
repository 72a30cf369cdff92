package io.fibry.durable;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The effect of a message on an entity: the new state and the reply. See {@link Durable#handle}.
 *
 * @param state the new state; null if it is unchanged, in which case nothing is stored
 * @param reply the reply to an ask
 * @param <S> the type of the state
 * @param <R> the type of the replies; {@link Void} if there are none
 */
public record Change<S, R extends @Nullable Object>(
        @Nullable S state, R reply) {

    /** Returns a change to a new state, with a reply. The state is stored even if it equals the previous one. */
    public static <S, R extends @Nullable Object> Change<S, R> to(S state, R reply) {
        return new Change<>(Objects.requireNonNull(state, "state"), reply);
    }

    /** Returns a change to a new state, without a reply. */
    public static <S> Change<S, @Nullable Void> to(S state) {
        return to(state, null);
    }

    /** Returns a reply without a change: nothing is stored. */
    public static <S, R extends @Nullable Object> Change<S, R> none(R reply) {
        return new Change<>(null, reply);
    }
}
