package io.fibry;

import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * An actor has been stopped and does not handle a message. {@code tell} throws this; {@code ask} completes its future with it at once,
 * without waiting for a timeout. It is a {@link RejectedExecutionException}, as the contract of {@link Actor#execute} asks for.
 *
 * <p>If the actor ended by a failure, that is the {@linkplain #getCause() cause}.
 */
public class ActorStoppedException extends RejectedExecutionException {

    private static final long serialVersionUID = 1;

    /** Makes an exception with a message and, if the actor failed, its failure. */
    public ActorStoppedException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
