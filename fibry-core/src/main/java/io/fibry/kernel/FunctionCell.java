package io.fibry.kernel;

import io.fibry.ReplyActor;
import io.fibry.ReplyContext;
import io.fibry.ThrowingFunction;
import io.fibry.dispatch.ActorThread;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** An actor that replies. */
abstract class FunctionCell<M, R extends @Nullable Object> extends ActorCell<M> implements ReplyActor<M, R> {

    FunctionCell(ActorKind kind) {
        super(kind);
    }

    @Override
    final void receive(M message) throws Exception {
        answer(message);
    }

    @Override
    public final CompletableFuture<R> ask(M message) {
        return AskSender.send(this, message, Reply.of(this, captured()));
    }

    @Override
    public final CompletableFuture<R> ask(M message, Duration timeout) {
        return AskSender.send(this, message, Reply.limited(this, captured()), timeout);
    }

    @Override
    public final ReplyActor<M, R> closeOnExit(AutoCloseable... resources) {
        tie(resources);
        return this;
    }

    static final class Plain<M, R extends @Nullable Object> extends FunctionCell<M, R> {

        private ThrowingFunction<M, R> behavior;

        Plain(ActorKind kind, ThrowingFunction<M, R> behavior) {
            super(kind);
            this.behavior = behavior;
        }

        @Override
        R answer(M message) throws Exception {
            return behavior.apply(message);
        }

        /** Resets a {@link RestartableBehavior}. Consumer only. */
        void reset() {
            ((RestartableBehavior<?, ?>) behavior).reset();
        }

        @Override
        Class<?> behaviorType() {
            return EndedBehavior.typeOf(behavior);
        }

        @Override
        void releaseBehavior() {
            behavior = new EndedBehavior<>(behaviorType());
        }
    }

    static final class WithContext<M, R extends @Nullable Object> extends FunctionCell<M, R> {

        private final FunctionContext<M, R> context;

        WithContext(ActorKind kind, int stashLimit, Function<ReplyContext<M, R>, ThrowingFunction<M, R>> factory) {
            super(kind);
            context = new FunctionContext<>(this, stashLimit, factory);
        }

        @Override
        @Nullable
        Object answer(M message) throws Exception {
            return context.resultOr(context.behavior().apply(message));
        }

        @Override
        @Nullable
        Object replyFor(@Nullable Object result) {
            return context.resultOr(result);
        }

        @Override
        @Nullable
        Throwable handle(ActorThread r, Envelope envelope) {
            context.begin(envelope);
            Throwable failure = super.handle(r, envelope);
            context.doneUnlessSuspended(r);
            return failure;
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

        @Override
        Class<?> behaviorType() {
            return EndedBehavior.typeOf(context.behavior, context);
        }

        @Override
        void releaseBehavior() {
            context.releaseBehavior();
        }
    }
}
