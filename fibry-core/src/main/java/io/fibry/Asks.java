package io.fibry;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/** How an ask is sent, and how a direct call waits for it. */
final class Asks {

    private Asks() {}

    /** Sends a message; a refusal completes its reply. */
    static <R extends @Nullable Object> CompletableFuture<R> send(ActorCell<?> actor, Object message, Reply<R> reply) {
        RejectedExecutionException refusal =
                actor.trySend(new Envelope(Objects.requireNonNull(message, "message"), reply));
        if (refusal != null) {
            reply.completeExceptionally(refusal);
        }
        return reply;
    }

    /** As {@link #send(ActorCell, Object, Reply)}, with a timeout that includes the wait for room in a full mailbox. */
    static <R extends @Nullable Object> CompletableFuture<R> send(
            ActorCell<?> actor, Object message, Reply<R> reply, Duration timeout) {
        Objects.requireNonNull(message, "message");
        var limit = new AskTimeout(actor, reply, Objects.requireNonNull(timeout, "timeout"));
        WaitingRoom room = actor.room();
        boolean mayWaitForRoom = room != null && room.spec().overflow() == Overflow.BLOCK;
        if (mayWaitForRoom) {
            limit.start();
        }
        CompletableFuture<R> sent = send(actor, message, reply);
        if (!mayWaitForRoom) {
            limit.start(); // when the actor may already have answered, and no alarm is needed
        }
        return sent;
    }

    /** Waits for a reply; throws what the behavior has thrown. Who is interrupted does not want the reply any more. */
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
        return cause instanceof Exception exception ? exception : e;
    }
}
