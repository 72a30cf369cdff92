package io.fibry.entity;

import org.jspecify.annotations.Nullable;

/**
 * The behavior and the state of one entity. It is created on the entity's first message, and may load its state then.
 * It ends with {@link #onEnd}, which may save the state. All methods are called by the entity's actor, one at a time,
 * and may block.
 *
 * @param <M> the type of the messages
 * @param <R> the type of the replies; {@link Void} if messages have none
 */
@FunctionalInterface
public interface EntityBehavior<M, R extends @Nullable Object> {

    /**
     * Handles a message.
     *
     * @return the reply to an ask
     * @throws Exception a failure: it completes the ask or is logged, and then {@link EntityOptions#supervision}
     *     decides
     */
    R handle(M message) throws Exception;

    /**
     * Called when the entity ends, after its last message, even if a failure has ended the entity. It may save the
     * state. A new entity of the same key begins after this call. Not called for a behavior that a restart has
     * replaced. On a cluster, not called if the machine has been removed, or has not left within the deadline of
     * {@code close}: a successor may have begun on another one.
     *
     * @throws Exception a failure: it is logged
     */
    default void onEnd() throws Exception {}
}
