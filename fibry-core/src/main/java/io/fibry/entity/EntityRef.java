package io.fibry.entity;

import io.fibry.ActorRef;
import io.fibry.ActorStoppedException;
import io.fibry.dispatch.Time;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Refers to the current entity of a key on this machine; {@link LocalEntities} has the proof of its hand-over. */
record EntityRef<K, M, R extends @Nullable Object>(LocalEntities<K, M, R> entities, K key) implements ActorRef<M, R> {

    @Override
    public void tell(M message) {
        Objects.requireNonNull(message, "message");
        Entity<K, M, R> entity = entities.other(key, null);
        while (!entity.tell(message)) {
            entity = entities.other(key, entity);
        }
    }

    @Override
    public boolean tryTell(M message) {
        Objects.requireNonNull(message, "message");
        Entity<K, M, R> entity = entities.other(key, null);
        Boolean accepted = entity.tryTell(message);
        while (accepted == null) {
            entity = entities.other(key, entity);
            accepted = entity.tryTell(message);
        }
        return accepted;
    }

    @Override
    public CompletableFuture<R> ask(M message, Duration timeout) {
        Objects.requireNonNull(message, "message");
        Objects.requireNonNull(timeout, "timeout");
        long start = Time.nanos();
        try {
            Entity<K, M, R> entity = entities.other(key, null);
            CompletableFuture<R> reply = entity.ask(message, timeout);
            while (entity.hasRefused(reply)) {
                entity = entities.other(key, entity);
                Duration left = timeout.minusNanos(Time.nanos() - start);
                reply = entity.ask(message, left.isNegative() ? Duration.ZERO : left);
            }
            return reply;
        } catch (ActorStoppedException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    @Override
    public String name() {
        return entities.name() + "/" + key;
    }

    @Override
    public String toString() {
        return name();
    }
}
