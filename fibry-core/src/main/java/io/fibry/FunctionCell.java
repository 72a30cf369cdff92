package io.fibry;

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
        Objects.requireNonNull(timeout, "timeout");
        return AskTimeout.start(this, asked(message, new Reply<R>(null)), timeout);
    }

    private Reply<R> asked(M message, Reply<R> reply) {
        RejectedExecutionException refusal = refusal(new Envelope(Objects.requireNonNull(message, "message"), reply));
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

    static final class WithContext<M, R extends @Nullable Object> extends FunctionCell<M, R>
            implements ContextualCell<M> {

        private final CellContext<M> context;
        private final Function<? super ActorContext<M>, ? extends Function<? super M, ? extends R>> factory;
        private final boolean renewable;
        private @Nullable Function<? super M, ? extends @Nullable Object> behavior;

        WithContext(
                ActorKind kind,
                int stashLimit,
                boolean renewable,
                Function<? super ActorContext<M>, ? extends Function<? super M, ? extends R>> factory) {
            super(kind);
            this.factory = factory;
            this.renewable = renewable;
            context = new CellContext<>(this, stashLimit);
        }

        @Override
        @Nullable
        Object answer(M message) {
            return context.resultOr(made(behavior).apply(message));
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
        CellContext<M> context() {
            return context;
        }

        @Override
        boolean isRenewable() {
            return renewable;
        }

        @Override
        void renew() {
            context.beginAnew();
            behavior = made(factory.apply(context));
        }

        @Override
        public void becomeWithReturn(Function<? super M, ?> next) {
            behavior = next;
        }
    }
}
