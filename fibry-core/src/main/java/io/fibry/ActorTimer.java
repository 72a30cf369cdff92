package io.fibry;

/**
 * A timer of an actor; see {@link ActorContext#after} and {@link ActorContext#every}. It ends with its actor, and when the actor is
 * restarted.
 */
public interface ActorTimer {

    /**
     * Cancels the timer. Called from inside the actor, it also takes back a message of the timer that is waiting. Any thread may
     * call it, at any time and several times.
     */
    void cancel();
}
