package io.fibry.durable;

import io.fibry.ThrowingFunction;
import io.fibry.codec.Codec;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The states of all entities of a type, with the behavior that changes them.
 *
 * {@snippet class = "DurableSnippets" region = "states"}
 *
 * @param <S> the type of the state
 * @param <M> the type of the messages
 * @param <R> the type of the replies
 */
public final class StateTable<S, M, R extends @Nullable Object> extends Persistence<M, R> {

    private final Codec<S> states;
    private final ThrowingFunction<String, Durable<S, M, R>> begin;

    private StateTable(
            DurableStore store,
            DurableType<M, R> type,
            Codec<S> states,
            ThrowingFunction<String, Durable<S, M, R>> begin) {
        super(store, type);
        this.states = Objects.requireNonNull(states, "states");
        this.begin = Objects.requireNonNull(begin, "begin");
    }

    /**
     * Returns the states of entities whose behavior does not depend on the key.
     *
     * @param states the codec of the states, whose size limit applies
     * @param behavior the behavior of all entities, called by any thread
     */
    public static <S, M, R extends @Nullable Object> StateTable<S, M, R> of(
            JdbcStore store, DurableType<M, R> type, Codec<S> states, Durable<S, M, R> behavior) {
        Objects.requireNonNull(behavior, "behavior");
        return of((DurableStore) store, type, states, key -> behavior);
    }

    /**
     * Returns the states of entities with a behavior per key; see {@link #of(JdbcStore, DurableType, Codec, Durable)}.
     *
     * @param begin creates the behavior of an entity; called inside its actor, it may block
     */
    public static <S, M, R extends @Nullable Object> StateTable<S, M, R> of(
            JdbcStore store,
            DurableType<M, R> type,
            Codec<S> states,
            ThrowingFunction<String, Durable<S, M, R>> begin) {
        return of((DurableStore) store, type, states, begin);
    }

    static <S, M, R extends @Nullable Object> StateTable<S, M, R> of(
            DurableStore store,
            DurableType<M, R> type,
            Codec<S> states,
            ThrowingFunction<String, Durable<S, M, R>> begin) {
        return new StateTable<>(store, type, states, begin);
    }

    Codec<S> states() {
        return states;
    }

    @Override
    EntityLogic<S, M, R> logic(String key) throws Exception {
        return new StateOfEntity<>(this, key, Objects.requireNonNull(begin.apply(key), "the behavior of an entity"));
    }
}
