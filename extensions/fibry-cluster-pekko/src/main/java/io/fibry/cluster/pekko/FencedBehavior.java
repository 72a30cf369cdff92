package io.fibry.cluster.pekko;

import io.fibry.ActorStoppedException;
import io.fibry.AskTimeoutException;
import io.fibry.MailboxFullException;
import io.fibry.ThrowingFunction;
import io.fibry.entity.EntityBehavior;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A behavior that begins a message only while this node owns its entity. */
final class FencedBehavior<M, R extends @Nullable Object> implements EntityBehavior<M, R> {

    /**
     * Wraps an exception of the program's code whose type would otherwise indicate that the message was not handled.
     */
    static final class HandlerFailedException extends Exception {
        private static final long serialVersionUID = 1;

        HandlerFailedException(Exception cause) {
            super(cause.toString(), cause);
        }
    }

    private final Fencing fencing;
    private final EntityBehavior<M, R> behavior;

    private FencedBehavior(Fencing fencing, EntityBehavior<M, R> behavior) {
        this.fencing = fencing;
        this.behavior = behavior;
    }

    /** Waits until this node owns the entity, and then creates its behavior. */
    static <M, R extends @Nullable Object> FencedBehavior<M, R> begin(
            Fencing fencing, String key, ThrowingFunction<String, EntityBehavior<M, R>> begin) throws Exception {
        fencing.pass();
        try {
            return new FencedBehavior<>(fencing, Objects.requireNonNull(begin.apply(key), "the behavior of an entity"));
        } catch (ActorStoppedException | MailboxFullException | AskTimeoutException e) {
            throw new HandlerFailedException(e);
        }
    }

    @Override
    public R handle(M message) throws Exception {
        fencing.pass();
        try {
            return behavior.handle(message);
        } catch (ActorStoppedException | MailboxFullException | AskTimeoutException e) {
            throw new HandlerFailedException(e);
        }
    }

    /** Not fenced: the next owner either waits for this method to return, or uses a store that checks versions. */
    @Override
    public void onEnd() throws Exception {
        behavior.onEnd();
    }
}
