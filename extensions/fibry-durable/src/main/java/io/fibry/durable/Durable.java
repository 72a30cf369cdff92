package io.fibry.durable;

import org.jspecify.annotations.Nullable;

/**
 * The behavior of an entity with durable state. The state survives restarts of the program, moves to other nodes, and
 * failures of nodes.
 *
 * {@snippet class = "DurableSnippets" region = "durable"}
 *
 * <p>{@link StateTable} stores the states. The state of an entity is loaded before its first message and kept in
 * memory. A change is stored before the reply: the change of a successful ask is durable.
 *
 * <p><b>The state is an immutable value.</b> {@link #handle} returns a new state and never modifies its argument: if
 * the change cannot be stored, the entity continues with the previous state.
 *
 * <p><b>Failures</b> fail the ask, as for all entities:
 *
 * <ul>
 *   <li>If {@link #handle} throws, or the new state cannot be encoded, the state is unchanged.
 *
 *   <li>{@link StaleStateException}: the stored state is newer than that of this entity. Another owner of the key has
 *       stored a change, or the change of an earlier message, whose outcome was unknown, has been stored. The message
 *       had no effect.
 *   <li>If the store fails in another way, or the entity is interrupted while it stores, the outcome is unknown.
 * </ul>
 *
 * In the last two cases, the entity loads its state again before the next message. A tell or an ask is not repeated
 * automatically; stored messages and reminders are, see {@link Effect}. A client that repeats an ask uses a request
 * key, so that its message is handled once: see {@link DurableRef#ask(Object, String, java.time.Duration)}.
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
     * Called when the entity ends, after its last message. See {@link io.fibry.entity.EntityBehavior#onEnd} for the
     * cases in which it is omitted. The state is already stored.
     *
     * @throws Exception a failure: it is logged
     */
    default void onEnd() throws Exception {}
}
