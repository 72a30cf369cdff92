package io.fibry;

import java.util.concurrent.RejectedExecutionException;
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

    /** Makes an exception with a message and, if the actor failed, its failure. */
    public ActorStoppedException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
