package io.fibry.kernel;

import io.fibry.dispatch.Durations;
import io.fibry.flight.AskTrace;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/** Sends asks. */
final class AskSender {

    private AskSender() {}

    /** Sends a message; a refusal completes its reply. */
    static <R extends @Nullable Object> CompletableFuture<R> send(ActorCell<?> actor, Object message, Reply<R> reply) {
        Objects.requireNonNull(message, "message");
        AskTrace trace = reply.trace();
        if (trace != null) {
            trace.isSent(actor, message);
        }
        Envelope envelope = actor.envelope(message, reply);
        if (envelope instanceof InstrumentedEnvelope.Sampled sampled) {
            measure(actor, sampled, reply);
        }
        RejectedExecutionException refusal = actor.trySend(envelope);
        if (refusal != null) {
            reply.completeExceptionally(refusal);
        }
        return reply;
    }

    private static void measure(ActorCell<?> actor, InstrumentedEnvelope.Sampled ask, Reply<?> reply) {
        CompletableFuture<?> unused = reply.whenComplete((value, failure) -> {
            Sampling sampling = actor.instruments().sampling();
            if (sampling != null) {
                sampling.replied(ask, ask.draw(), actor, ask.age(System.nanoTime()), failure != null);
            }
        });
    }

    /** As {@link #send(ActorCell, Object, Reply)}, with a timeout that includes the wait for room in a full mailbox. */
    static <R extends @Nullable Object> CompletableFuture<R> send(
            ActorCell<?> actor, Object message, Reply<R> reply, Duration timeout) {
        Objects.requireNonNull(message, "message");
        var limit = new AskTimeout(actor, reply, Durations.notNegative("timeout", timeout));
        BoundedMailbox bounded = actor.boundedMailbox();
        boolean mayWaitForRoom = bounded != null && bounded.spec().blocksSenders();
        if (mayWaitForRoom) {
            limit.start();
        }
        CompletableFuture<R> sent = send(actor, message, reply);
        if (!mayWaitForRoom) {
            limit.start(); // after the send: if the reply is already there, no alarm is needed
        }
        return sent;
    }
}
