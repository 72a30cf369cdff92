package io.fibry;

import java.util.concurrent.RejectedExecutionException;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Thrown when an actor does not handle a message because it has been stopped. {@code tell} throws it; {@code ask} completes its
 * future with it at once, without waiting for a timeout. It is a {@link RejectedExecutionException}, as the contract of
 * {@link Actor#execute} requires.
 *
 * <p>If the actor has failed, its failure is the {@linkplain #getCause() cause}.
 */
public class ActorStoppedException extends RejectedExecutionException {

    private static final long serialVersionUID = 1;

    /** Whether an actor is the one that has refused the message; null if it was accepted, or if other code has thrown this. */
    private transient @Nullable Predicate<Actor<?>> refusing;

    /** Makes an exception with a message and, if the actor failed, its failure. */
    public ActorStoppedException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }

    /** Notes who has refused the message, if this is why it was refused. */
    static void noteRefusal(RejectedExecutionException refusal, Predicate<Actor<?>> by) {
        if (refusal instanceof ActorStoppedException stopped) {
            stopped.refusing = by;
        }
    }

    /**
     * Whether this actor has refused the message: it has not accepted it, and will never handle it. So the message may be sent to
     * another actor. False for a message that was accepted and then discarded.
     */
    public boolean isRefusalOf(Actor<?> actor) {
        return refusing != null && refusing.test(actor);
    }
}
