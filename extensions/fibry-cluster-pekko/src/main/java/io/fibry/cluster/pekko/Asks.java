package io.fibry.cluster.pekko;

import io.fibry.ActorStoppedException;
import io.fibry.MailboxFullException;
import io.fibry.cluster.Codec;
import io.fibry.cluster.CodecException;
import io.fibry.cluster.EntityFailedException;
import io.fibry.cluster.NoMajorityException;
import io.fibry.cluster.pekko.Packet.Answer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The open asks of this node. An answer, the timeout, and the removal of the node race for each of them; whoever takes the ask out of the
 * map completes it. What a program does with the reply runs on a virtual thread, and never on a thread of Pekko or the JDK's timer.
 */
final class Asks {

    private static final Executor THREADS = task -> {
        Thread unused = Thread.ofVirtual().name("fibry-cluster-reply").start(task);
    };

    private final ConcurrentHashMap<Long, Ask<?>> open = new ConcurrentHashMap<>();
    private final AtomicLong last = new AtomicLong();
    private volatile @Nullable String closed;

    /** An ask that waits for its answer. The id is what the answer has to name. */
    static final class Ask<R extends @Nullable Object> {
        final long id;
        final CompletableFuture<R> reply = new CompletableFuture<>();

        /** Completed first, by any thread; a virtual thread then completes the reply. */
        private final CompletableFuture<Answer> answer = new CompletableFuture<>();

        private Ask(long id) {
            this.id = id;
        }
    }

    <R extends @Nullable Object> Ask<R> begin(String entity, Codec<R> codec, Duration timeout) {
        var ask = new Ask<R>(last.incrementAndGet());
        open.put(ask.id, ask);
        CompletableFuture<Answer> unused = ask.answer
                .orTimeout(Math.max(0, nanos(timeout)), TimeUnit.NANOSECONDS)
                .whenCompleteAsync(
                        (answer, failure) -> {
                            open.remove(ask.id);
                            end(ask.reply, entity, codec, answer, failure, timeout);
                        },
                        THREADS);
        forgetIfCancelled(ask);
        String reason = closed;
        if (reason != null) { // read after the ask is in the map: close() misses none
            ask.answer.completeExceptionally(new NoMajorityException(reason));
        }
        return ask;
    }

    private void forgetIfCancelled(Ask<?> ask) {
        CompletableFuture<?> unused = ask.reply.whenComplete((reply, failure) -> {
            if (open.remove(ask.id) != null) {
                ask.answer.cancel(false);
            }
        });
    }

    private static long nanos(Duration timeout) {
        return TimeUnit.NANOSECONDS.convert(timeout);
    }

    private static <R extends @Nullable Object> void end(
            CompletableFuture<R> reply,
            String entity,
            Codec<R> codec,
            @Nullable Answer answer,
            @Nullable Throwable failure,
            Duration timeout) {
        if (answer == null) {
            reply.completeExceptionally(
                    failure instanceof TimeoutException
                            ? new TimeoutException("no reply from entity " + entity + " within " + timeout
                                    + "; it may have handled the message or not")
                            : failure);
            return;
        }
        try {
            if (answer.outcome == Answer.Outcome.REPLIED) {
                reply.complete(answer.content.length == 0 ? null : codec.decode(answer.content));
            } else {
                reply.completeExceptionally(failure(answer, entity));
            }
        } catch (RuntimeException e) {
            reply.completeExceptionally(
                    new CodecException("the reply of entity " + entity + " cannot be decoded: " + e.getMessage(), e));
        }
    }

    private static Exception failure(Answer answer, String entity) {
        String text = new String(answer.content, StandardCharsets.UTF_8);
        return switch (answer.outcome) {
            case MAILBOX_FULL -> new MailboxFullException(text);
            case STOPPED -> new ActorStoppedException(text, null);
            case NOT_DECODED -> new CodecException("entity " + entity + " cannot decode the message: " + text, null);
            case FAILED, REPLIED -> new EntityFailedException(entity, text);
        };
    }

    /** From another node. A late answer finds no ask. */
    void answered(Answer answer) {
        Ask<?> ask = open.get(answer.ask);
        if (ask != null) {
            ask.answer.complete(answer);
        }
    }

    /** Fails all asks, and those that begin later. */
    void close(String reason) {
        closed = reason;
        for (Ask<?> ask : List.copyOf(open.values())) {
            ask.answer.completeExceptionally(new NoMajorityException(reason));
        }
    }
}
