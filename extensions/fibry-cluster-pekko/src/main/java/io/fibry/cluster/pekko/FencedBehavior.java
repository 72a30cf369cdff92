package io.fibry.cluster.pekko;

import io.fibry.ActorStoppedException;
import io.fibry.AskTimeoutException;
import io.fibry.MailboxFullException;
import io.fibry.ThrowingFunction;
import io.fibry.cluster.pekko.Packet.ToEntity;
import io.fibry.entity.EntityBehavior;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A behavior that begins a message only while this node owns its entity. An ask, which is a {@link Question}, begins
 * only before its timeout; any other message is of type {@code M}.
 */
final class FencedBehavior<M, R extends @Nullable Object> implements EntityBehavior<Object, R> {

    /** An ask of an entity. */
    static final class Question {
        private final Object message;
        private final ToEntity packet;
        private volatile boolean skipped;

        Question(Object message, ToEntity packet) {
            this.message = message;
            this.packet = packet;
        }

        /** Returns whether the entity has skipped this ask, which had already timed out. */
        boolean isSkipped() {
            return skipped;
        }
    }

    /** A message that only starts the entity. */
    enum Start {
        START
    }

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
    @SuppressWarnings({"unchecked", "NullAway"
    }) // a message of this type; the reply to a skipped ask or a start is not sent
    public R handle(Object message) throws Exception {
        if (message == Start.START) {
            return null;
        }
        fencing.pass();
        Object content = message;
        if (message instanceof Question question) {
            if (question.packet.isLate()) { // it has waited for the fence, or for the begin of the entity
                question.skipped = true;
                return null;
            }
            content = question.message;
        }
        try {
            return behavior.handle((M) content);
        } catch (ActorStoppedException | MailboxFullException | AskTimeoutException e) {
            throw new HandlerFailedException(e);
        }
    }

    /** Omitted if this node has been removed from the cluster: a successor may have begun, and may have written. */
    @Override
    public void onEnd() throws Exception {
        if (fencing.ownsAtEnd()) {
            behavior.onEnd();
        }
    }
}
