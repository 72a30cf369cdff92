package io.fibry;

import io.fibry.dispatch.LogText;
import io.fibry.kernel.Handles;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * Thrown when an actor does not handle a message because it has been stopped. {@code tell} throws this exception; the
 * future of an {@code ask} fails with it at once, not at the timeout. It is a {@link RejectedExecutionException}, as
 * the contract of {@link Actor#execute} requires.
 *
 * <p>If the actor has failed, its failure is the {@linkplain #getCause() cause}.
 */
public class ActorStoppedException extends RejectedExecutionException {

    private static final long serialVersionUID = 1;

    /** The actor that has refused the message; null if it was accepted, or if other code has thrown this exception. */
    private transient @Nullable Actor<?> refusing;

    /** Makes an exception with a message and, if the actor failed, its failure. */
    public ActorStoppedException(String message, @Nullable Throwable cause) {
        super(LogText.plain(message), cause);
    }

    /**
     * Records the actor that has refused the message, if the refusal is an exception of this type. For code that
     * implements {@link Actor}.
     */
    public static void noteRefusal(RejectedExecutionException refusal, Actor<?> by) {
        if (refusal instanceof ActorStoppedException stopped) {
            stopped.refusing = by;
        }
    }

    /**
     * Returns whether this actor has refused the message: it has not accepted it, and will never handle it. The message
     * may then be sent to another actor. Returns false for a message that was accepted and then discarded.
     */
    public boolean isRefusalOf(Actor<?> actor) {
        return refusing != null && Handles.unwrapped(refusing) == Handles.unwrapped(actor);
    }
}
