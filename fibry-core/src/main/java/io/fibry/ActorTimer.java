package io.fibry;

/**
 * A timer of an actor: see {@link ActorContext#after}, {@link ActorContext#every} and
 * {@link ActorContext#receiveTimeout}. It ends when its actor ends or is restarted.
 *
 * <p>The message of a timer of {@code after} is pending work: a draining actor waits for it. If the actor is stopped
 * with a harder mode, fails or is restarted first, the message becomes a {@linkplain DeadLetter dead letter}. For a
 * timeout, which has no meaning once the actor stops, call {@link #cancelOnStop}. The other timers are cancelled by
 * every stop, and leave no dead letter.
 */
public interface ActorTimer {

    /**
     * Cancels the timer. Any thread may call this method, repeatedly and at any time. If called from inside the actor,
     * it also cancels a message of the timer that already waits in the mailbox.
     */
    void cancel();

    /**
     * Makes a stop of the actor cancel the timer instead of waiting for its message; immediately if the actor is
     * already stopping. The message does not become a dead letter. Has no effect on timers of
     * {@link ActorContext#every} and {@link ActorContext#receiveTimeout}, which every stop cancels.
     *
     * {@snippet class = "ActorSnippets" region = "cancelOnStop"}
     *
     * @return this timer
     */
    ActorTimer cancelOnStop();
}
