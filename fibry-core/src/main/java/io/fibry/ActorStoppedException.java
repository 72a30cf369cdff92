package io.fibry;

import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * An actor does not take a message, or did not get to handle it, because it has been stopped. A {@code tell} throws it;
 * an {@code ask} completes its future with it, at once and not at a timeout. As {@link Actor#execute} promises, it is a
 * {@link RejectedExecutionException}.
 *
 * <p>If the actor ended by a failure, that is the {@linkplain #getCause() cause}.
 */
public class ActorStoppedException extends RejectedExecutionException {

    private static final long serialVersionUID = 1;

    /** An exception with a message and, if the actor failed, what it failed with. */
    public ActorStoppedException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
