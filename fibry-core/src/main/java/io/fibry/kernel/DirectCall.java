package io.fibry.kernel;

import io.fibry.ActorInterruptedException;
import io.fibry.AskTimeoutException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/** The wait of a {@code call} for its reply. */
public final class DirectCall {

    private DirectCall() {}

    /** Waits for a reply; rethrows the exception of the behavior. An interrupt cancels the ask. */
    public static <R extends @Nullable Object> R await(CompletableFuture<R> reply) throws Exception {
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
            return thrownHere(late);
        }
        return cause instanceof Exception exception ? exception : e;
    }

    /** Returns a copy with the stack of this thread. */
    private static AskTimeoutException thrownHere(AskTimeoutException late) {
        var copy = new AskTimeoutException(late.getMessage(), late.position(), late.getCause());
        copy.setStackTrace(new Throwable().getStackTrace());
        return copy;
    }
}
