package io.fibry;

import org.jspecify.annotations.Nullable;

/**
 * An actor that replies, as seen by its own behavior.
 *
 * @param <M> the type of the actor's messages
 * @param <R> the type of its replies
 */
public interface ReplyContext<M, R extends @Nullable Object> extends ActorContext<M> {

    @Override
    ReplyActor<M, R> self();

    /**
     * Defers the reply to the current message: the value that the behavior returns for this message is ignored. Use
     * this method if the reply depends on a result for which the behavior does not wait. If the message is not an ask,
     * the reply is discarded. A repeated call for the same message returns the same object.
     *
     * <p>If this actor ends or is restarted before the reply, the ask fails with {@link ActorStoppedException}. If the
     * behavior throws while it handles this message, the ask fails with that exception.
     *
     * @throws IllegalStateException if the actor is not handling a message, or if the message was stashed with
     *     {@link #stash}
     */
    ReplyTo<R> deferReply();

    /**
     * Replaces the behavior, from the next message until a restart.
     *
     * @throws IllegalStateException if the actor is not handling a message */
    void becomeWithReturn(ThrowingFunction<M, R> behavior);
}
