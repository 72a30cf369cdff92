package io.fibry;

import org.jspecify.annotations.Nullable;

/**
 * What the behavior of an actor that replies sees of its own actor.
 *
 * @param <M> the type of the actor's messages
 * @param <R> the type of its replies
 */
public interface ReplyContext<M, R extends @Nullable Object> extends ActorContext<M> {

    @Override
    ReplyActor<M, R> self();

    /**
     * Takes over the reply to the message at work, to be given later: what the behavior returns for this message is ignored. Use
     * it when the reply depends on something that the behavior does not wait for. If nobody asked, the reply goes nowhere. Called
     * again for the same message, it returns the same object.
     *
     * <p>The ask ends at the latest when this actor ends or is restarted: then it fails with {@link ActorStoppedException}. If
     * the behavior throws while it handles this message, the ask fails with that exception.
     *
     * @throws IllegalStateException if no message is at work, or if it was stashed with {@link #stash}
     */
    ReplyTo<R> deferReply();

    /**
     * Replaces the behavior, from the next message until a restart.
     *
     * @throws IllegalStateException if no message is at work
     */
    void becomeWithReturn(ThrowingFunction<M, R> behavior);
}
