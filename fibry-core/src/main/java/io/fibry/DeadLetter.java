package io.fibry;

/**
 * A message that was accepted and that nobody handles any more, because the actor ended first. Immutable, except for the message
 * as the program made it.
 *
 * @param actor the actor that it was sent to
 * @param message the message, or the {@link Runnable} that was given to {@link Actor#execute}
 * @param reason why it was not handled
 */
public record DeadLetter(Actor<?> actor, Object message, Reason reason) {

    /** Why a message was not handled. */
    public enum Reason {
        /** The actor was stopped with {@link StopMode#DISCARD} or {@link StopMode#INTERRUPT}, or by the end of its system. */
        STOPPED,
        /** The actor failed. */
        FAILED,
        /** The actor had put it aside with {@link ActorContext#stash}, and ended without coming back to it. */
        STASHED,
        /** It was sent to a name that no actor has taken. */
        NO_ACTOR
    }
}
