package io.fibry;

/**
 * The calling thread was interrupted while it waited in a method of this library that throws no checked exceptions. The
 * thread's interrupt status is set again before this is thrown.
 */
public class ActorInterruptedException extends RuntimeException {

    private static final long serialVersionUID = 1;

    /** An exception that tells what was interrupted. */
    public ActorInterruptedException(String message, InterruptedException cause) {
        super(message, cause);
    }
}
