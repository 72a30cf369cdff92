package io.fibry.bench.savina;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A peer that is ready to run workloads, one after the other. */
public abstract class World implements AutoCloseable {

    /** No run takes so long, unless an actor has lost a message. */
    private static final Duration LIMIT = Duration.ofMinutes(2);

    private volatile CompletableFuture<Object> result = new CompletableFuture<>();

    /** Runs a workload. Only this is timed. */
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

    /** Starts the first actor and tells it to start. */
    protected abstract void begin(SavinaActor main);

    final void finish(Object found) {
        result.complete(found);
    }

    final void fail(Throwable error) {
        result.completeExceptionally(error);
    }

    /** Ends the actors that a run has left. */
    public abstract void clear() throws InterruptedException;

    @Override
    public void close() {
        // most peers hold nothing
    }
}
