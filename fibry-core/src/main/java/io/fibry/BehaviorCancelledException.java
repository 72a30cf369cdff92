package io.fibry;

import io.fibry.dispatch.LogText;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;

/**
 * The failure of an ask whose behavior has thrown a {@link CancellationException}, or a {@link CompletionException}
 * with one as its cause. The exception of the behavior is the {@linkplain #getCause() cause}.
 *
 * <p>A future that completes with a {@code CancellationException} counts as cancelled, but only the asker can cancel an
 * ask. A Kotlin coroutine that receives a {@code CancellationException} ends as if it had been cancelled itself, and
 * reports nothing.
 */
public final class BehaviorCancelledException extends RuntimeException {

    private static final long serialVersionUID = 1;

    private BehaviorCancelledException(RuntimeException thrown) {
        super("the behavior has thrown " + LogText.plain(thrown), thrown);
    }

    /**
     * Returns the failure of an ask whose behavior has thrown this exception: the exception itself, unless it would
     * cancel the future of the ask.
     */
    public static Throwable asFailure(Throwable thrown) {
        boolean cancels = thrown instanceof CancellationException
                || (thrown instanceof CompletionException && thrown.getCause() instanceof CancellationException);
        return cancels ? new BehaviorCancelledException((RuntimeException) thrown) : thrown;
    }
}
