package io.fibry.entity;

import io.fibry.ActorRef;
import io.fibry.ActorStoppedException;
import io.fibry.ReplyActor;
import io.fibry.dispatch.Durations;
import io.fibry.dispatch.Time;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Refers to the current entity of a key on this machine; {@link LocalEntities} has the proof of its hand-over. */
record EntityRef<K, M, R extends @Nullable Object>(LocalEntities<K, M, R> entities, K key) implements ActorRef<M, R> {

    @Override
    public void tell(M message) {
        Objects.requireNonNull(message, "message");
        ReplyActor<M, R> present = entities.present(key);
        if (present == null || tellUnlessStopped(present, message) == null) {
            entities.sendToNext(key, present, next -> tellUnlessStopped(next, message));
        }
    }

    /** Returns null if the actor refuses the message because it has been stopped, otherwise true. */
    private static <M> @Nullable Boolean tellUnlessStopped(ReplyActor<M, ?> actor, M message) {
        try {
            actor.tell(message);
            return true;
        } catch (ActorStoppedException e) {
            return null;
        }
    }

    @Override
    public boolean tryTell(M message) {
        Objects.requireNonNull(message, "message");
        ReplyActor<M, R> present = entities.present(key);
        Boolean accepted = present == null ? null : tryTellUnlessStopped(present, message);
        return accepted != null
                ? accepted
                : entities.sendToNext(key, present, next -> tryTellUnlessStopped(next, message));
    }

    /** Returns null if the actor refuses the message because it has been stopped, otherwise its answer. */
    private static <M> @Nullable Boolean tryTellUnlessStopped(ReplyActor<M, ?> actor, M message) {
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
        var ask = new Ask<M, R>(message, timeout);
        try {
            ReplyActor<M, R> present = entities.present(key);
            CompletableFuture<R> reply = present == null ? null : ask.apply(present);
            return reply != null ? reply : entities.sendToNext(key, present, ask);
        } catch (ActorStoppedException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    /** Asks one actor after the other until one of them accepts the message. All of them share the timeout. */
    private static final class Ask<M, R extends @Nullable Object>
            implements Function<ReplyActor<M, R>, @Nullable CompletableFuture<R>> {

        private final M message;
        private final Duration timeout;
        private final long start = Time.nanos();
        private boolean isRefused;

        Ask(M message, Duration timeout) {
            this.message = message;
            this.timeout = timeout;
        }

        /** Returns null if the actor has refused the message; not if it has accepted and then discarded it. */
        @Override
        public @Nullable CompletableFuture<R> apply(ReplyActor<M, R> actor) {
            CompletableFuture<R> reply = actor.ask(message, isRefused ? rest() : timeout);
            isRefused = reply.state() == CompletableFuture.State.FAILED
                    && reply.exceptionNow() instanceof ActorStoppedException e
                    && e.isRefusalOf(actor);
            return isRefused ? null : reply;
        }

        private Duration rest() {
            Duration rest = timeout.minusNanos(Time.nanos() - start);
            return rest.isNegative() ? Duration.ZERO : rest;
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
