package io.fibry.entity;

import io.fibry.ActorRef;
import io.fibry.ActorStoppedException;
import io.fibry.ReplyActor;
import io.fibry.dispatch.Durations;
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
        ReplyActor<M, R> present = entities.present(key);
        if (present == null || !isAccepted(present, message)) {
            entities.sendToNext(key, present, next -> isAccepted(next, message) ? next : null);
        }
    }

    private static <M> boolean isAccepted(ReplyActor<M, ?> actor, M message) {
        try {
            actor.tell(message);
            return true;
        } catch (ActorStoppedException e) {
            return false;
        }
    }

    @Override
    public boolean tryTell(M message) {
        Objects.requireNonNull(message, "message");
        ReplyActor<M, R> present = entities.present(key);
        Boolean accepted = present == null ? null : tryTell(present, message);
        return accepted != null ? accepted : entities.sendToNext(key, present, next -> tryTell(next, message));
    }

    /** Returns null if the actor refuses the message because it has been stopped. */
    private static <M> @Nullable Boolean tryTell(ReplyActor<M, ?> actor, M message) {
        try {
            return actor.tryTell(message);
        } catch (ActorStoppedException e) {
            return null;
        }
    }

    @Override
    public CompletableFuture<R> ask(M message, Duration timeout) {
        Objects.requireNonNull(message, "message");
        Durations.notNegative("timeout", timeout);
        long start = Time.nanos();
        try {
            ReplyActor<M, R> present = entities.present(key);
            CompletableFuture<R> reply = present == null ? null : ask(present, message, timeout);
            return reply != null
                    ? reply
                    : entities.sendToNext(key, present, next -> ask(next, message, rest(timeout, start)));
        } catch (ActorStoppedException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    /** Returns null if the actor has refused the message; not if it has accepted and then discarded it. */
    private static <M, R extends @Nullable Object> @Nullable CompletableFuture<R> ask(
            ReplyActor<M, R> actor, M message, Duration timeout) {
        CompletableFuture<R> reply = actor.ask(message, timeout);
        boolean isRefused = reply.state() == CompletableFuture.State.FAILED
                && reply.exceptionNow() instanceof ActorStoppedException e
                && e.isRefusalOf(actor);
        return isRefused ? null : reply;
    }

    private static Duration rest(Duration timeout, long start) {
        Duration rest = timeout.minusNanos(Time.nanos() - start);
        return rest.isNegative() ? Duration.ZERO : rest;
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
