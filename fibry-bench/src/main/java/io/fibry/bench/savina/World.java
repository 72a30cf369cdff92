package io.fibry.bench.savina;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A started peer, which runs workloads one after the other. */
public abstract class World implements AutoCloseable {

    /** The limit of a run, which is exceeded only if an actor has lost a message. */
    private static final Duration LIMIT = Duration.ofMinutes(2);

    private volatile CompletableFuture<Object> result = new CompletableFuture<>();

    /** Runs a workload. Only this method is timed. */
    public final Object run(SavinaActor main) throws InterruptedException {
        result = new CompletableFuture<>();
        begin(main);
        try {
            return result.get(LIMIT.toSeconds(), TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            throw new IllegalStateException("an actor has failed", e.getCause());
        } catch (TimeoutException e) {
            throw new IllegalStateException("no result after " + LIMIT, e);
        }
    }

    /** Starts the first actor, and sends it the start message. */
    protected abstract void begin(SavinaActor main);

    final void finish(Object found) {
        result.complete(found);
    }

    final void fail(Throwable error) {
        result.completeExceptionally(error);
    }

    /** Ends the remaining actors of a run. */
    public abstract void clear() throws InterruptedException;

    @Override
    public void close() {
        // most peers hold nothing
    }
}
