package io.fibry.test;

import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * The futures of a run that actors complete: replies to asks, and ends of actors. {@code CompletableFuture.allOf} and
 * {@code anyOf} make plain futures of them. A thread that waits for a plain future parks without notice to the
 * simulation, and the future would resume it while another thread runs. The {@link StallWatch} ends such a wait: it
 * fails all futures that the plain one depends on.
 *
 * <p>The thread that runs adds futures, and the watch reads them.
 */
final class OpenFutures {

    private static final int FIRST_CLEANUP = 1 << 10;

    private final Collection<CompletableFuture<?>> open = new ConcurrentLinkedQueue<>();

    // Of the thread that runs
    private int added;
    private int cleanup = FIRST_CLEANUP;

    /** Removes the completed futures from time to time, whenever their number may have doubled. */
    void add(CompletableFuture<?> future) {
        open.add(future);
        if (++added >= cleanup) {
            open.removeIf(CompletableFuture::isDone);
            added = open.size();
            cleanup = Math.max(FIRST_CLEANUP, 2 * added);
        }
    }

    /** Whether another future may depend on one of these. Any thread. */
    boolean haveDependents() {
        return open.stream().anyMatch(future -> !future.isDone() && future.getNumberOfDependents() > 0);
    }

    /** Fails all of them, on a thread of its own, since their dependents run there. Any thread. */
    void fail(Throwable cause) {
        List<CompletableFuture<?>> all = List.copyOf(open);
        Thread.ofPlatform()
                .name("fibry-test-end")
                .daemon()
                .start(() -> all.forEach(future -> future.completeExceptionally(cause)));
    }
}
