package io.fibry;

import io.fibry.dispatch.LogText;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Thrown when an ask has no reply within its timeout. The detail message contains the position of the message in the
 * mailbox, and the type of the message that the actor was handling. The cause has the stack of the actor's handler at
 * that moment; if the actor was idle, the stack of a descendant that handled a message, if there was one.
 *
 * <p>The exception of a future has no stack trace, because it is created by the timer thread, and because many asks may
 * time out at once. The exception that {@code call} throws has the stack of its caller.
 */
public final class AskTimeoutException extends TimeoutException {

    private static final long serialVersionUID = 1;

    private final int position;

    /**
     * Makes an exception without a stack trace.
     *
     * @param text the message
     * @param position the {@link #position()}
     * @param handler the stack of the handler that runs, as the cause
     */
    public AskTimeoutException(@Nullable String text, int position, @Nullable Throwable handler) {
        super(text == null ? null : LogText.plain(text));
        this.position = position;
        initCause(handler);
    }

    /** Does nothing. */
    @Override
    public Throwable fillInStackTrace() {
        return this;
    }

    /**
     * Returns the number of messages ahead of the message of the ask, including the message being handled; 0 if the
     * message of the ask was being handled; -1 if the position is unknown.
     */
    public int position() {
        return position;
    }
}
