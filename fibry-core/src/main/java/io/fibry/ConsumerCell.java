package io.fibry;

import java.util.function.BiConsumer;
import java.util.function.Consumer;

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

        private final BiConsumer<? super M, ? super ActorContext<M>> behavior;

        WithContext(ActorKind kind, BiConsumer<? super M, ? super ActorContext<M>> behavior) {
            super(kind);
            this.behavior = behavior;
        }

        @Override
        void receive(M message) {
            behavior.accept(message, this);
        }
    }
}
