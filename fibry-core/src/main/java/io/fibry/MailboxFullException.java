package io.fibry;

import java.util.concurrent.RejectedExecutionException;

/**
 * A bounded mailbox has no room for a message, and does not handle it. {@code tell} throws this; {@code ask} completes its future with
 * it. It is a {@link RejectedExecutionException}, as the contract of {@link Actor#execute} asks for.
 */
public class MailboxFullException extends RejectedExecutionException {

    private static final long serialVersionUID = 1;

    /** Makes an exception with a message. */
    public MailboxFullException(String message) {
        super(message);
    }
}
