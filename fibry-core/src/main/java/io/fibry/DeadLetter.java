package io.fibry;

/**
 * A message that was accepted and will not be handled, in most cases because the actor has ended. Immutable if the
 * message is.
 *
 * @param actor the actor to which the message was sent
 * @param message the message, or the code that was given to {@link Actor#execute}; also the message of a timer of
 *     {@link ActorContext#after}
 * @param reason the reason why it was not handled
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
        /**
         * It was sent to an address of {@link ActorSystem#findOrExpect}, and no actor has taken the name, or the
         * comparator of the actor's mailbox threw an exception for it.
         */
        NO_ACTOR
    }
}
