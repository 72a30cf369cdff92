package io.fibry.cluster.pekko;

import io.fibry.ActorStoppedException;
import io.fibry.AskTimeoutException;
import io.fibry.MailboxFullException;
import io.fibry.cluster.EntityFailedException;
import io.fibry.cluster.NoMajorityException;
import io.fibry.cluster.pekko.Packet.Answer;
import io.fibry.codec.Codec;
import io.fibry.codec.CodecException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The open asks of this node. An answer, the timeout, a cancellation and the removal of the node race for each ask; the
 * one that removes the ask from the map completes it. Dependents of the reply never run on a thread of Pekko or on the
 * JDK's timer thread: they run on the thread of the entity if the entity is on this node, and otherwise on a new
 * virtual thread.
 */
final class EntityAsks {

    /**
     * Runs a task in place on a virtual thread (an entity), and on a new virtual thread otherwise (Pekko, the JDK's
     * timer).
     */
    private static final Executor VIRTUAL = task -> {
        if (Thread.currentThread().isVirtual()) {
            task.run();
        } else {
            Thread unused = Thread.ofVirtual().name("fibry-cluster-reply").start(task);
        }
    };

    private final ConcurrentHashMap<Long, Ask<?>> open = new ConcurrentHashMap<>();

    /**
     * The id of the last ask. The first one is random: a node that restarts with the same address may receive answers
     * to asks from before its restart, and must not take them for answers to later asks.
     */
    private final AtomicLong last = new AtomicLong(ThreadLocalRandom.current().nextLong());

    private volatile @Nullable String closed;

    /** An ask that waits for its answer. The answer carries the id of the ask. */
    static final class Ask<R extends @Nullable Object> {
        final long id;
        final CompletableFuture<R> reply = new CompletableFuture<>();
        private final String entity;
        private final Codec<R> codec;

        /**
         * Completed with true by the timeout, and with false by the end of the ask, which also cancels the timer task.
         */
        private final CompletableFuture<Boolean> late = new CompletableFuture<>();

        private Ask(long id, String entity, Codec<R> codec) {
            this.id = id;
            this.entity = entity;
            this.codec = codec;
        }

        private void fail(Throwable failure) {
            late.complete(false);
            reply.completeExceptionally(failure);
        }

        private void complete(Answer answer) {
            late.complete(false);
            try {
                if (answer.outcome == Answer.Outcome.REPLIED) {
                    reply.complete(answer.content.length == 0 ? null : codec.decode(answer.content));
                } else {
                    reply.completeExceptionally(failure(answer, entity));
                }
            } catch (Throwable e) {
                reply.completeExceptionally(
                        new CodecException("the reply of entity " + entity + " cannot be decoded: " + e, e));
            }
        }
    }

    <R extends @Nullable Object> Ask<R> begin(String entity, Codec<R> codec, Duration timeout) {
        var ask = new Ask<>(last.incrementAndGet(), entity, codec);
        open.put(ask.id, ask);
        CompletableFuture<?> unused = ask.late.thenAccept(late -> {
            if (late && open.remove(ask.id) != null) {
                VIRTUAL.execute(() -> ask.fail(unknown("no reply from entity " + entity + " within " + timeout)));
            }
        });
        ask.late.completeOnTimeout(true, TimeUnit.NANOSECONDS.convert(timeout), TimeUnit.NANOSECONDS);
        forgetIfCancelled(ask);
        String reason = closed;
        if (reason != null && open.remove(ask.id) != null) { // read after the put: close() misses no ask
            ask.fail(new NoMajorityException(reason));
        }
        return ask;
    }

    private static AskTimeoutException unknown(String reason) {
        return new AskTimeoutException(reason + "; it may or may not have handled the message", -1, null);
    }

    private void forgetIfCancelled(Ask<?> ask) {
        CompletableFuture<?> unused = ask.reply.whenComplete((reply, failure) -> {
            if (open.remove(ask.id) != null) {
                ask.late.complete(false);
            }
        });
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

    /** Completes the ask that the answer names. A late answer is ignored. */
    void answered(Answer answer) {
        Ask<?> ask = open.remove(answer.ask);
        if (ask != null) {
            VIRTUAL.execute(() -> ask.complete(answer));
        }
    }

    /** Returns the number of open asks, for tests. */
    int size() {
        return open.size();
    }

    /** Fails all open asks, whose outcome is unknown, and refuses later asks. */
    void close(String reason) {
        closed = reason;
        for (Long id : List.copyOf(open.keySet())) {
            Ask<?> ask = open.remove(id);
            if (ask != null) {
                VIRTUAL.execute(() -> ask.fail(unknown(reason + ", without a reply from entity " + ask.entity)));
            }
        }
    }
}
