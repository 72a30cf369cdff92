package io.fibry;

/**
 * The calling thread was interrupted while it waited in a method of this library. The thread's interrupt status is set again before
 * this is thrown.
 */
public class ActorInterruptedException extends RuntimeException {

    private static final long serialVersionUID = 1;

    /** Makes an exception with a message. */
    public ActorInterruptedException(String message, InterruptedException cause) {
        super(message, cause);
    }
}
