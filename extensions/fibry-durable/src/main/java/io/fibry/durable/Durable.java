package io.fibry.durable;

import io.fibry.ThrowingFunction;
import io.fibry.codec.Codec;
import io.fibry.entity.EntityBehavior;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The behavior of an entity with durable state. The state survives restarts of the program, moves to other nodes, and
 * failures of nodes.
 *
 * {@snippet class = "DurableSnippets" region = "durable"}
 *
 * <p>{@link #entities} adapts it for {@code Stereotypes.entities} and {@code ClusterSystem.entities}. The state is
 * loaded before the first message and kept in memory. A change is stored before the reply: the change of a successful
 * ask is durable.
 *
 * <p><b>The state is an immutable value.</b> {@link #handle} returns a new state and never modifies its argument: if
 * the change cannot be stored, the entity continues with the previous state.
 *
 * <p><b>Failures</b> fail the ask, as for all entities:
 *
 * <ul>
 *   <li>If {@link #handle} throws, or the new state cannot be encoded, the state is unchanged.
 *
 *   <li>{@link StaleStateException}: another owner of the key has stored a change, or an earlier message whose outcome
 *       was unknown has. The message had no effect.
 *   <li>If the store fails in another way, or the entity is interrupted while it stores, the outcome is unknown.
 * </ul>
 *
 * In the last two cases, the entity loads its state again before the next message. Messages are never repeated
 * automatically. If a client repeats a message, it may be handled twice, unless the state records handled messages.
 *
 * @param <S> the type of the state, an immutable value
 * @param <M> the type of the messages
 * @param <R> the type of the replies; {@link Void} if there are none
 */
public interface Durable<S, M, R extends @Nullable Object> {

    /** Returns the state of a new entity. It is not stored before the first change. */
    S initial();

    /**
     * Handles a message. Called by the entity's actor, one message at a time; it may block.
     *
     * @param state the last stored state; must not be modified
     * @return the new state and the reply, which is sent after the state has been stored
     * @throws Exception fails the ask; the state is unchanged
     */
    Change<S, R> handle(S state, M message) throws Exception;

    /**
     * Returns the factory of entities whose behavior does not depend on the key.
     *
     * @param store the store of the states
     * @param type the name of the type in the store. In a cluster, use the name of the entity type
     * @param states the codec of the state, whose size limit applies to the state
     * @param behavior the behavior of all entities, called by any thread
     */
    static <S, M, R extends @Nullable Object> ThrowingFunction<String, EntityBehavior<M, R>> entities(
            DurableStore store, String type, Codec<S> states, Durable<S, M, R> behavior) {
        Objects.requireNonNull(behavior, "behavior");
        return entities(store, type, states, key -> behavior);
    }

    /**
     * Returns the factory of entities with a behavior per key; see
     * {@link #entities(DurableStore, String, Codec, Durable)}.
     *
     * @param begin creates the behavior of an entity; called inside its actor, it may block
     */
    static <S, M, R extends @Nullable Object> ThrowingFunction<String, EntityBehavior<M, R>> entities(
            DurableStore store, String type, Codec<S> states, ThrowingFunction<String, Durable<S, M, R>> begin) {
        Objects.requireNonNull(store, "store");
        Objects.requireNonNull(type, "type");
        Objects.requireNonNull(states, "states");
        Objects.requireNonNull(begin, "begin");
        return key -> DurableEntity.begin(store, type, key, states, begin.apply(key));
    }
}
