package io.fibry.cluster.pekko;

import io.fibry.ActorRef;
import io.fibry.ActorStoppedException;
import io.fibry.MailboxFullException;
import io.fibry.dispatch.Durations;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A reference to the entity of a key, on any node. */
record ClusterEntityRef<M, R extends @Nullable Object>(EntityType<M, R> type, String key) implements ActorRef<M, R> {

    @Override
    public void tell(M message) {
        if (!tryTell(message)) {
            throw new MailboxFullException("too many messages wait on the way to " + name() + " and other entities");
        }
    }

    @Override
    public boolean tryTell(M message) {
        byte[] bytes = type.encoded(message);
        if (!type.acceptsMessage()) {
            return false;
        }
        type.tell(key, bytes);
        return true;
    }

    @Override
    public CompletableFuture<R> ask(M message, Duration timeout) {
        Durations.notNegative("timeout", timeout);
        byte[] bytes = type.encoded(message);
        boolean accepted;
        try {
            accepted = type.acceptsMessage();
        } catch (ActorStoppedException e) { // also if this node has left
            return CompletableFuture.failedFuture(e);
        }
        if (!accepted) {
            return CompletableFuture.failedFuture(
                    new MailboxFullException("too many messages wait on the way to " + name() + " and other entities"));
        }
        return type.ask(key, bytes, timeout).reply;
    }

    @Override
    public String name() {
        return type.nameOf(key);
    }

    @Override
    public String toString() {
        return name();
    }
}
