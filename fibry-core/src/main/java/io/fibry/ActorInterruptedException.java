package io.fibry;

/**
 * Thrown when the calling thread is interrupted while it waits in a method of this library. The thread's interrupt status is set
 * again before.
 */
public class ActorInterruptedException extends RuntimeException {

    private static final long serialVersionUID = 1;

    /** Makes an exception with a message. */
    public ActorInterruptedException(String message, InterruptedException cause) {
        super(message, cause);
    }
}
