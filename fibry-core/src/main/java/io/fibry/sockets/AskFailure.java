package io.fibry.sockets;

import io.fibry.ActorStoppedException;
import io.fibry.AskTimeoutException;
import io.fibry.MailboxFullException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * The response of an HTTP server to a request whose handler has asked an actor without success. The server is not
 * broken then: the actor is slow, overloaded or stopped, and the client may repeat the request.
 *
 * @param status 503 or 504
 * @param reason the reason phrase of the status
 * @param retryAfter the value of the header {@code Retry-After}, or null for none
 * @param cause the failure of the ask
 */
public record AskFailure(
        int status, String reason, @Nullable String retryAfter, Throwable cause) {

    /** A chain of causes may be cyclic. */
    private static final int LONGEST_CHAIN = 16;

    /**
     * The response after this failure of a handler, or null if it is no failure of an ask. A {@link
     * CompletionException} or an {@link ExecutionException} stands for its cause, because a future wraps the failure of
     * an ask. The cause of any other exception does not count: the handler or the actor has turned it into a failure of
     * its own.
     */
    public static @Nullable AskFailure of(Throwable failure) {
        Throwable cause = failure;
        for (int depth = 0; depth < LONGEST_CHAIN && isWrapper(cause) && cause.getCause() != null; depth++) {
            cause = cause.getCause();
        }
        return switch (cause) {
            case AskTimeoutException e -> new AskFailure(504, "Gateway Timeout", null, e);
            case ActorStoppedException e -> new AskFailure(503, "Service Unavailable", "1", e);
            case MailboxFullException e -> new AskFailure(503, "Service Unavailable", "1", e);
            default -> null;
        };
    }

    private static boolean isWrapper(Throwable failure) {
        return failure instanceof CompletionException || failure instanceof ExecutionException;
    }
}
