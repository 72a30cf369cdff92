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
 * The open asks of this node. An answer, the timeout, a cancellation and the removal of the node race for each of them; whoever takes the
 * ask out of the map completes it. What a program does with the reply never runs on a thread of Pekko or on the JDK's timer: it runs on the
 * thread of the entity, if that is on this node, or else on a virtual thread of its own.
 */
final class Asks {

    /** Pekko and the JDK's timer have platform threads; entities have virtual ones. */
    private static final Executor VIRTUAL = task -> {
        if (Thread.currentThread().isVirtual()) {
            task.run();
        } else {
            Thread unused = Thread.ofVirtual().name("fibry-cluster-reply").start(task);
        }
    };

    private final ConcurrentHashMap<Long, Ask<?>> open = new ConcurrentHashMap<>();
    private final AtomicLong last = new AtomicLong();
    private volatile @Nullable String closed;

    /** An ask that waits for its answer. The id is what the answer has to name. */
    static final class Ask<R extends @Nullable Object> {
        final long id;
        final CompletableFuture<R> reply = new CompletableFuture<>();
        private final String entity;
        private final Codec<R> codec;

        /** Completed with true after the timeout, and with false by the end of the ask: then the JDK forgets the timeout. */
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
                VIRTUAL.execute(() -> ask.fail(new TimeoutException("no reply from entity " + entity + " within "
                        + timeout + "; it may have handled the message or not")));
            }
        });
        ask.late.completeOnTimeout(true, TimeUnit.NANOSECONDS.convert(timeout), TimeUnit.NANOSECONDS);
        forgetIfCancelled(ask);
        String reason = closed;
        if (reason != null && open.remove(ask.id) != null) { // read after the ask is in the map: close() misses none
            ask.fail(new NoMajorityException(reason));
        }
        return ask;
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

    /** A late answer finds no ask. */
    void answered(Answer answer) {
        Ask<?> ask = open.remove(answer.ask);
        if (ask != null) {
            VIRTUAL.execute(() -> ask.complete(answer));
        }
    }

    /** For tests: how many asks are open. */
    int size() {
        return open.size();
    }

    /** Fails all asks: it is unknown what has become of them. Those that begin later are refused. */
    void close(String reason) {
        closed = reason;
        for (Long id : List.copyOf(open.keySet())) {
            Ask<?> ask = open.remove(id);
            if (ask != null) {
                VIRTUAL.execute(() -> ask.fail(new TimeoutException(
                        reason + ": entity " + ask.entity + " may have handled the message or not")));
            }
        }
    }
}
