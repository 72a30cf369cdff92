package io.fibry;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * The answer to one {@code ask}. A virtual thread that waits for it yields once before it parks: the replier usually runs in
 * that time, and the park and the wake-up fall away.
 */
final class Reply<R extends @Nullable Object> extends CompletableFuture<R> {

    /** Marks an envelope whose message is a {@link Runnable} of {@link Actor#execute}; nobody completes it. */
    static final Reply<Object> OF_TASK = new Reply<>();

    @Override
    public R get() throws InterruptedException, ExecutionException {
        letTheReplierRun();
        return super.get();
    }

    @Override
    public R join() {
        letTheReplierRun();
        return super.join();
    }

    private void letTheReplierRun() {
        if (!isDone() && Thread.currentThread().isVirtual()) {
            Thread.yield();
        }
    }
}
