package io.fibry;

import java.util.concurrent.RejectedExecutionException;

/**
 * A bounded mailbox has no room for a message, which is not handled. A {@code tell} throws it; an {@code ask} completes its
 * future with it. As {@link Actor#execute} promises, it is a {@link RejectedExecutionException}.
 */
public class MailboxFullException extends RejectedExecutionException {

    private static final long serialVersionUID = 1;

    /** An exception that tells whose mailbox is full. */
    public MailboxFullException(String message) {
        super(message);
    }
}
