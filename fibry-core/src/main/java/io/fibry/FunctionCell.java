package io.fibry;

import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** An actor that replies. */
abstract class FunctionCell<M, R extends @Nullable Object> extends ActorCell<M> implements ReplyActor<M, R> {

    FunctionCell(ActorKind kind) {
        super(kind);
    }

    @Override
    abstract R answer(M message);

    @Override
    final void receive(M message) {
        answer(message);
    }

    @Override
    public final CompletableFuture<R> ask(M message) {
        var reply = new Reply<R>(this);
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

    static final class WithContext<M, R extends @Nullable Object> extends FunctionCell<M, R> {

        private final BiFunction<? super M, ? super ActorContext<M>, ? extends R> behavior;

        WithContext(ActorKind kind, BiFunction<? super M, ? super ActorContext<M>, ? extends R> behavior) {
            super(kind);
            this.behavior = behavior;
        }

        @Override
        R answer(M message) {
            return behavior.apply(message, this);
        }
    }
}
