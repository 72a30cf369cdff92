package io.fibry.kernel;

import io.fibry.ActorStoppedException;
import io.fibry.ReplyTo;
import io.fibry.dispatch.ActorLock;
import io.fibry.dispatch.ActorThread;
import io.fibry.dispatch.Time;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The asks of an actor whose message has been handled and whose reply is outstanding. The end or restart of the actor
 * fails all of these asks, so no asker waits for a reply that cannot come. All access is under the lock of the
 * lifecycle; only the replies are completed outside it, since their completion runs user code.
 */
final class DeferredReplies {

    private final ActorLock lock;
    private @Nullable Map<Reply<?>, Open> open;

    /** An ask without a reply, and the action that removes it. */
    private final class Open implements BiConsumer<@Nullable Object, @Nullable Throwable> {
        private final ActorState<?> actor;
        private final Reply<?> reply;
        private final long since = Time.nanos();

        Open(ActorState<?> actor, Reply<?> reply) {
            this.actor = actor;
            this.reply = reply;
        }

        @Override
        public void accept(@Nullable Object value, @Nullable Throwable failure) {
            remove(actor, reply);
        }
    }

    DeferredReplies(ActorLock lock) {
        this.lock = lock;
    }

    /** Adds the ask of a message that carries its {@link ReplyTo}, unless it has a reply. Consumer only. */
    static void addUnlessReplied(ActorState<?> actor, ActorThread r, Reply<?> reply) {
        ContextState context = actor.context();
        if (r.suspended() == null && !reply.isDone() && (context == null || !context.isStashed())) {
            actor.lifecycle().rareState().deferred().add(actor, reply);
        }
    }

    /**
     * Adds an ask. Called by the consumer, hence before the end of the actor. The system knows the actor while it has
     * deferred replies.
     */
    void add(ActorState<?> actor, Reply<?> reply) {
        var added = new Open(actor, reply);
        lock.lock();
        try {
            if (open == null) {
                open = new LinkedHashMap<>();
            }
            open.put(reply, added);
            if (open.size() == 1) {
                actor.registry().know(actor);
            }
        } finally {
            lock.unlock();
        }
        CompletableFuture<?> unused = reply.whenComplete(added);
    }

    private void remove(ActorState<?> actor, Reply<?> reply) {
        lock.lock();
        try {
            if (open != null && open.remove(reply) != null && open.isEmpty()) {
                actor.registry().forgetIfIdle(actor);
            }
        } finally {
            lock.unlock();
        }
    }

    boolean isEmpty() {
        lock.lock();
        try {
            return open == null || open.isEmpty();
        } finally {
            lock.unlock();
        }
    }

    /** Adds all replies to the list. Under the lock. */
    void addTo(List<Reply<?>> replies) {
        if (open != null) {
            replies.addAll(open.keySet());
        }
    }

    /** The time since the ask was added; null if it is not open. */
    @Nullable
    Duration openFor(Reply<?> reply) {
        lock.lock();
        try {
            Open found = open == null ? null : open.get(reply);
            return found == null ? null : Duration.ofNanos(Time.nanos() - found.since);
        } finally {
            lock.unlock();
        }
    }

    /** Fails all asks, each with an exception of this message and cause. */
    void failAll(String message, @Nullable Throwable cause) {
        List<Reply<?>> unanswered;
        lock.lock();
        try {
            unanswered = open == null ? List.of() : new ArrayList<>(open.keySet());
        } finally {
            lock.unlock();
        }
        for (Reply<?> reply : unanswered) {
            reply.fail(new ActorStoppedException(message, cause));
        }
    }
}
