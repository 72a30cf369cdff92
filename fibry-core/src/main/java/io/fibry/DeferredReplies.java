package io.fibry;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The asks of an actor whose message has been handled and whose reply is still to come. As long as an ask is in here, the end of
 * the actor ends it, so no asker waits for an actor that is gone. Everything under the lock of the lifecycle, except that replies
 * are completed without it, since that runs the program's code.
 */
final class DeferredReplies {

    private final ReentrantLock lock;
    private @Nullable Set<Reply<?>> open;

    DeferredReplies(ReentrantLock lock) {
        this.lock = lock;
    }

    /** By the consumer, so it comes before the end of the actor. */
    void add(Reply<?> reply) {
        lock.lock();
        try {
            if (open == null) {
                open = new LinkedHashSet<>();
            }
            open.add(reply);
        } finally {
            lock.unlock();
        }
        CompletableFuture<?> unused = reply.whenComplete((value, failure) -> remove(reply));
    }

    private void remove(Reply<?> reply) {
        lock.lock();
        try {
            if (open != null) {
                open.remove(reply);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Shows all of them. Under the lock. */
    void forEach(Consumer<Reply<?>> action) {
        if (open != null) {
            open.forEach(action);
        }
    }

    /** Ends all of them: nobody will reply any more. */
    void failAll(Supplier<ActorStoppedException> cause) {
        List<Reply<?>> unanswered;
        lock.lock();
        try {
            unanswered = open == null ? List.of() : List.copyOf(open);
        } finally {
            lock.unlock();
        }
        unanswered.forEach(reply -> reply.fail(cause.get()));
    }
}
