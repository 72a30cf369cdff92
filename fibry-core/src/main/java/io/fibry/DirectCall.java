package io.fibry;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/** The wait of a {@code call} for its reply. */
final class DirectCall {

    private DirectCall() {}

    /** Waits for a reply; rethrows the exception of the behavior. An interrupt cancels the ask. */
    static <R extends @Nullable Object> R await(CompletableFuture<R> reply) throws Exception {
        try {
            return reply.get();
        } catch (ExecutionException e) {
            throw rethrown(e);
        } catch (InterruptedException e) {
            reply.cancel(false);
            Thread.currentThread().interrupt();
            throw new ActorInterruptedException("interrupted while waiting for a reply", e);
        }
    }

    private static Exception rethrown(ExecutionException e) {
        Throwable cause = e.getCause();
        if (cause instanceof Error error) {
            throw error;
        }
        if (cause instanceof AskTimeoutException late) {
            return late.thrownHere();
        }
        return cause instanceof Exception exception ? exception : e;
    }
}
