package io.fibry.kernel;

import io.fibry.ActorContext;
import io.fibry.ThrowingConsumer;
import io.fibry.dispatch.ActorThread;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** An actor that does not reply. */
final class ConsumerCell<M> extends ActorCell<M> {

    private ThrowingConsumer<M> behavior;

    ConsumerCell(ActorKind kind, ThrowingConsumer<M> behavior) {
        super(kind);
        this.behavior = behavior;
    }

    @Override
    void receive(M message) throws Exception {
        behavior.accept(message);
    }

    @Override
    Class<?> behaviorType() {
        return EndedBehavior.typeOf(behavior);
    }

    @Override
    void releaseBehavior() {
        behavior = new EndedBehavior<>(behaviorType());
    }

    static final class WithContext<M> extends ActorCell<M> {

        private final CellContext<M, ThrowingConsumer<M>> context;

        WithContext(ActorKind kind, int stashLimit, Function<ActorContext<M>, ThrowingConsumer<M>> factory) {
            super(kind);
            context = new ConsumerContext<>(this, stashLimit, factory);
        }

        @Override
        void receive(M message) throws Exception {
            context.behavior().accept(message);
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
