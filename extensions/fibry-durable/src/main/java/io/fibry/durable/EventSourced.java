package io.fibry.durable;

import org.jspecify.annotations.Nullable;

/**
 * The behavior of an entity whose history is stored: each message is decided into events, and the state is the result
 * of all events. Use {@link Durable} if the history is not required.
 *
 * {@snippet class = "DurableSnippets" region = "events"}
 *
 * <p>{@link EventLog} stores the events, and creates the entities. The events of a message are stored atomically before
 * the reply: the events of a successful ask are durable. When an entity starts, its state is restored from the last
 * snapshot and the events after it.
 *
 * <p><b>States and events are immutable values.</b> {@link #apply} is called again with stored events whenever an
 * entity starts. It must depend only on its arguments, must not have effects, and must accept all events that
 * {@link #decide} has ever returned.
 *
 * <p><b>Failures</b> fail the ask, as for all entities:
 *
 * <ul>
 *   <li>If {@link #decide} or {@link #apply} throws, or an event cannot be encoded, nothing is stored.
 *   <li>{@link StaleStateException}: another owner of the key has stored events, or an earlier message whose outcome
 *       was unknown has. The message had no effect.
 *   <li>If the store fails in another way, or the entity is interrupted while it stores, the outcome is unknown.
 *   <li>If a stored event is missing or cannot be decoded or applied, the entity does not start. The message of the
 *       exception has the key and the version of the event.
 * </ul>
 *
 * After a {@link StaleStateException} or a failure of the store, the entity restores its state before the next message.
 * A tell or an ask is not repeated automatically; stored messages and reminders are, see {@link Effect}. A client that
 * repeats an ask uses a request key: see {@link DurableRef#ask(Object, String, java.time.Duration)}.
 *
 * @param <S> the type of the state, an immutable value
 * @param <C> the type of the messages
 * @param <E> the type of the events, immutable values
 * @param <R> the type of the replies; {@link Void} if there are none
 */
public interface EventSourced<S, C, E, R extends @Nullable Object> {

    /** Returns the state of a new entity. */
    S initial();

    /**
     * Decides a message. Called by the entity's actor, one message at a time; it may block.
     *
     * @param state the current state; must not be modified
     * @return the events, further effects, and the reply, which is sent after the others have been stored
     * @throws Exception fails the ask; nothing is stored
     */
    Decision<E, R> decide(S state, C message) throws Exception;

    /** Returns the state after an event. Called before the event is stored, and when the entity is restored. */
    S apply(S state, E event);

    /**
     * Called when the entity ends, after its last message. See {@link io.fibry.entity.EntityBehavior#onEnd} for the
     * cases in which it is omitted. The events are already stored.
     *
     * @throws Exception a failure: it is logged
     */
    default void onEnd() throws Exception {}
}
