package io.fibry;

import io.fibry.dispatch.LogText;

/**
 * Thrown when the calling thread is interrupted while it waits in a method of this library. The interrupt status of the
 * thread is restored before the exception is thrown.
 */
public class ActorInterruptedException extends RuntimeException {

    private static final long serialVersionUID = 1;

    /** Makes an exception with a message. */
    public ActorInterruptedException(String message, InterruptedException cause) {
        super(LogText.plain(message), cause);
    }
}
