package io.fibry.cluster.state;

import io.fibry.ThrowingFunction;
import io.fibry.cluster.Codec;
import io.fibry.entity.EntityBehavior;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The behavior of an entity whose state survives: a restart of the program, its move to another node, and the failure of a node.
 *
 * {@snippet class = "ClusterSnippets" region = "durable"}
 *
 * <p>{@link #entities} turns it into what {@code Stereotypes.entities} and {@code ClusterSystem.entities} need. The state is loaded
 * before the first message, and kept in memory. A change is stored before the reply: when an ask succeeds, its change survives.
 *
 * <p><b>The state is a value.</b> {@link #handle} returns a new one, and never changes the one that it has got: if the change then
 * cannot be stored, the entity goes on with the state as it was.
 *
 * <p><b>Failures</b> go to the asker, as all failures of entities:
 *
 * <ul>
 *   <li>If {@link #handle} throws, or the new state cannot be encoded, the state stays as it was.
 *   <li>{@link StaleStateException}: another owner of the key has stored a change, which happens only while an entity moves. The message
 *       has changed nothing.
 *   <li>If the store fails in another way, or the entity is interrupted while it stores, the change may have been stored or not.
 * </ul>
 *
 * After the last two, the entity forgets its state, and loads it again at its next message. A message is never handled again by
 * itself. So if an asker repeats one, it may be handled twice, unless the state remembers what has been done.
 *
 * @param <S> the type of the state, an immutable value
 * @param <M> the type of the messages
 * @param <R> the type of the replies; {@link Void} if messages have none
 */
public interface Durable<S, M, R extends @Nullable Object> {

    /** The state of an entity that was never stored. It is stored only with the first change. */
    S initial();

    /**
     * Handles a message. Called by the entity's actor, one message at a time; it may block.
     *
     * @param state the state as it was stored last. Do not change it
     * @return the new state and the reply; the reply is sent when the state has been stored
     * @throws Exception a failure: it goes to the asker, and the state stays as it was
     */
    Change<S, R> handle(S state, M message) throws Exception;

    /**
     * Entities whose behavior needs no key.
     *
     * @param store where the state is
     * @param type the name of the type of the entities in the store. On a cluster, use the one of the entities
     * @param states turns the state into bytes and back; its limit is also the limit of the state
     * @param behavior the behavior of all entities; any thread may call it
     */
    static <S, M, R extends @Nullable Object> ThrowingFunction<String, EntityBehavior<M, R>> entities(
            StateStore store, String type, Codec<S> states, Durable<S, M, R> behavior) {
        Objects.requireNonNull(behavior, "behavior");
        return entities(store, type, states, key -> behavior);
    }

    /**
     * As {@link #entities(StateStore, String, Codec, Durable)}, with a behavior for each key.
     *
     * @param begin makes the behavior of an entity; called inside its actor, it may block
     */
    static <S, M, R extends @Nullable Object> ThrowingFunction<String, EntityBehavior<M, R>> entities(
            StateStore store, String type, Codec<S> states, ThrowingFunction<String, Durable<S, M, R>> begin) {
        Objects.requireNonNull(store, "store");
        Objects.requireNonNull(type, "type");
        Objects.requireNonNull(states, "states");
        Objects.requireNonNull(begin, "begin");
        return key -> DurableEntity.begin(store, type, key, states, begin.apply(key));
    }
}
