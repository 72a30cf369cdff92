package io.fibry;

import io.fibry.dispatch.Runner;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** An actor that replies. */
abstract class FunctionCell<M, R extends @Nullable Object> extends ActorCell<M> implements ReplyActor<M, R> {

    FunctionCell(ActorKind kind) {
        super(kind);
    }

    @Override
    final void receive(M message) {
        answer(message);
    }

    @Override
    public final CompletableFuture<R> ask(M message) {
        return asked(message, new Reply<R>(this));
    }

    @Override
    public final CompletableFuture<R> ask(M message, Duration timeout) {
        Objects.requireNonNull(message, "message");
        var reply = new Reply<R>(null);
        var limit = new AskTimeout(this, reply, Objects.requireNonNull(timeout, "timeout"));
        WaitingRoom room = room();
        boolean mayWaitForRoom = room != null && room.spec().overflow() == Overflow.BLOCK;
        if (mayWaitForRoom) {
            limit.start(); // it holds for that wait, too
        }
        Reply<R> sent = asked(message, reply);
        if (!mayWaitForRoom) {
            limit.start();
        }
        return sent;
    }

    private Reply<R> asked(M message, Reply<R> reply) {
        RejectedExecutionException refusal = trySend(new Envelope(Objects.requireNonNull(message, "message"), reply));
        if (refusal != null) {
            reply.completeExceptionally(refusal);
        }
        return reply;
    }

    @Override
    public final ReplyActor<M, R> closeOnExit(AutoCloseable... resources) {
        tie(resources);
        return this;
    }

    static final class Plain<M, R extends @Nullable Object> extends FunctionCell<M, R> {

        private final Function<? super M, ? extends R> behavior;

        Plain(ActorKind kind, Function<? super M, ? extends R> behavior) {
            super(kind);
            this.behavior = behavior;
        }

        @Override
        R answer(M message) {
            return behavior.apply(message);
        }
    }

    static final class WithContext<M, R extends @Nullable Object> extends FunctionCell<M, R> {

        private final CellContext<M, Function<? super M, ? extends R>> context;

        WithContext(
                ActorKind kind,
                int stashLimit,
                boolean renewable,
                Function<? super ActorContext<M>, ? extends Function<? super M, ? extends R>> factory) {
            super(kind);
            context = new CellContext<>(this, stashLimit, renewable, factory);
        }

        @Override
        @Nullable
        Object answer(M message) {
            return context.resultOr(context.behavior().apply(message));
        }

        @Override
        void handle(Runner r, Envelope envelope) {
            context.begin(envelope);
            super.handle(r, envelope);
            context.done();
        }

        @Override
        void ready() {
            if (!context.passRole()) {
                super.ready();
            }
        }

        @Override
        CellContext<M, ?> context() {
            return context;
        }
    }
}
