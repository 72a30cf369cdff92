package io.fibry.durable;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The result of a message to an entity: the new state, the reply and further effects. See {@link Durable#handle}.
 *
 * @param state the new state; null if it is unchanged
 * @param reply the reply to an ask
 * @param effects messages, publications and reminders, in order
 * @param <S> the type of the state
 * @param <R> the type of the replies; {@link Void} if there are none
 */
public record Change<S, R extends @Nullable Object>(
        @Nullable S state, R reply, List<Effect> effects) {

    /** Creates a change. */
    public Change {
        effects = List.copyOf(effects);
    }

    /**
     * Returns a change to a new state, with a reply and further effects. The state is stored even if it equals the
     * previous one.
     */
    public static <S, R extends @Nullable Object> Change<S, R> to(S state, R reply, Effect... effects) {
        return new Change<>(Objects.requireNonNull(state, "state"), reply, List.of(effects));
    }

    /** Returns a change to a new state, without a reply. */
    public static <S> Change<S, @Nullable Void> to(S state) {
        return to(state, null);
    }

    /** Returns a reply without a new state, with further effects. */
    public static <S, R extends @Nullable Object> Change<S, R> none(R reply, Effect... effects) {
        return new Change<>(null, reply, List.of(effects));
    }

    /** Returns this change with more effects, which follow the present ones. */
    public Change<S, R> with(Effect... more) {
        return new Change<>(state, reply, Outgoing.concat(effects, more));
    }
}
