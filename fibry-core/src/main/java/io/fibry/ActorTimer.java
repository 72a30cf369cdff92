package io.fibry;

/**
 * A timer of an actor: see {@link ActorContext#after}, {@link ActorContext#every} and {@link ActorContext#receiveTimeout}. It
 * ends when its actor ends or is restarted.
 */
public interface ActorTimer {

    /**
     * Cancels the timer. Any thread may call it, at any time and several times. Called from inside the actor, it also cancels a
     * message of the timer that already waits in the mailbox.
     */
    void cancel();
}
