package io.fibry.bench.peers;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Waits for a reply in a future. */
final class Replies {

    private Replies() {}

    static Object get(CompletableFuture<Object> reply) {
        try {
            return reply.get();
        } catch (InterruptedException | ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }

    static Object getInTime(CompletableFuture<Object> reply) {
        try {
            return reply.get(1, TimeUnit.MINUTES);
        } catch (InterruptedException | ExecutionException | TimeoutException e) {
            throw new IllegalStateException(e);
        }
    }
}
