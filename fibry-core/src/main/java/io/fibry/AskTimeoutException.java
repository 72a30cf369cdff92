package io.fibry;

import java.util.concurrent.TimeoutException;

/**
 * Thrown when an ask has no reply within its timeout. The text says where the message was, and the type of the message that the
 * actor was at work on. The cause has the stack of the actor's handler at that moment, if one was at work.
 */
public final class AskTimeoutException extends TimeoutException {

    private static final long serialVersionUID = 1;

    private final int position;

    AskTimeoutException(String text, int position, StackTraceElement[] handler) {
        super(text);
        this.position = position;
        if (handler.length > 0) {
            var cause = new Exception("the stack of the actor's handler");
            cause.setStackTrace(handler);
            initCause(cause);
        }
    }

    /**
     * How many messages were ahead of this one, including the one in work; 0 if it was itself in work; -1 if that is not known.
     */
    public int position() {
        return position;
    }
}
