package io.fibry;

/**
 * A message that was accepted and not handled, because the actor ended first. Immutable if the message is.
 *
 * @param actor the actor that it was sent to
 * @param message the message, or the code that was given to {@link Actor#execute}; also the message of a timer of
 *     {@link ActorContext#after}
 * @param reason why it was not handled
 */
public record DeadLetter(Actor<?> actor, Object message, Reason reason) {

    /** The reasons why a message was not handled. */
    public enum Reason {
        /**
         * The actor was stopped with {@link StopMode#DISCARD} or {@link StopMode#INTERRUPT}, or by the close of its
         * system.
         */
        STOPPED,
        /** The actor failed. */
        FAILED,
        /** The actor had {@linkplain ActorContext#stash stashed} it. */
        STASHED,
        /**
         * It was the message of a {@linkplain ActorContext#after timer}, and the actor was restarted before it was due.
         */
        RESTARTED,
        /** It was sent to an address whose name no actor has taken. */
        NO_ACTOR
    }
}
