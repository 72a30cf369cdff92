package io.fibry;

import io.fibry.dispatch.Runner;
import java.util.function.Consumer;
import java.util.function.Function;

/** An actor that does not reply. */
final class ConsumerCell<M> extends ActorCell<M> {

    private final Consumer<? super M> behavior;

    ConsumerCell(ActorKind kind, Consumer<? super M> behavior) {
        super(kind);
        this.behavior = behavior;
    }

    @Override
    void receive(M message) {
        behavior.accept(message);
    }

    static final class WithContext<M> extends ActorCell<M> {

        private final CellContext<M, Consumer<? super M>> context;

        WithContext(
                ActorKind kind,
                int stashLimit,
                boolean renewable,
                Function<? super ActorContext<M>, ? extends Consumer<? super M>> factory) {
            super(kind);
            context = new CellContext<>(this, stashLimit, renewable, factory);
        }

        @Override
        void receive(M message) {
            context.behavior().accept(message);
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
