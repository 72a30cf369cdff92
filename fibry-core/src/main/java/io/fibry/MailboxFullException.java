package io.fibry;

import io.fibry.dispatch.LogText;
import java.util.concurrent.RejectedExecutionException;

/**
 * Thrown when a bounded mailbox has no room for a message. The message is not handled. {@code tell} throws this
 * exception; the future of an {@code ask} fails with it. It is a {@link RejectedExecutionException}, as the contract of
 * {@link Actor#execute} requires.
 */
public class MailboxFullException extends RejectedExecutionException {

    private static final long serialVersionUID = 1;

    /** Creates an exception with a message. */
    public MailboxFullException(String message) {
        super(LogText.plain(message));
    }
}
