package io.fibry;

import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

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

    static final class WithContext<M> extends ActorCell<M> implements ContextualCell<M> {

        private final CellContext<M> context;
        private final Function<? super ActorContext<M>, ? extends Consumer<? super M>> factory;
        private final boolean renewable;
        private @Nullable Consumer<? super M> behavior;

        WithContext(
                ActorKind kind,
                int stashLimit,
                boolean renewable,
                Function<? super ActorContext<M>, ? extends Consumer<? super M>> factory) {
            super(kind);
            this.factory = factory;
            this.renewable = renewable;
            context = new CellContext<>(this, stashLimit);
        }

        @Override
        void receive(M message) {
            made(behavior).accept(message);
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
        public void become(Consumer<? super M> next) {
            behavior = next;
        }
    }
}
