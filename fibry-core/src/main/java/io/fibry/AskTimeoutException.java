package io.fibry;

import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Thrown when an ask has no reply within its timeout. The text says where the message was, and the type of the message that the
 * actor was at work on. The cause has the stack of the actor's handler at that moment, or of a child that the actor
 * waits for, if there is one.
 *
 * <p>The exception of a future has no stack trace of its own: it is created by a thread that only watches the clock, and a
 * hundred thousand asks may time out at once. The exception that {@code call} throws has the stack of its caller.
 */
public final class AskTimeoutException extends TimeoutException {

    private static final long serialVersionUID = 1;

    private final int position;

    AskTimeoutException(@Nullable String text, int position, @Nullable Throwable handler) {
        super(text);
        this.position = position;
        initCause(handler);
    }

    /** The same, with the stack of the calling thread. */
    AskTimeoutException thrownHere() {
        var copy = new AskTimeoutException(getMessage(), position, getCause());
        copy.takeStack();
        return copy;
    }

    private void takeStack() {
        super.fillInStackTrace();
    }

    /** Does nothing. */
    @Override
    public Throwable fillInStackTrace() {
        return this;
    }

    /**
     * How many messages were ahead of this one, including the one in work; 0 if it was itself in work; -1 if that is not known.
     */
    public int position() {
        return position;
    }
}
