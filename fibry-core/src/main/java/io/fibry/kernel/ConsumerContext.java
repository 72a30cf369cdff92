package io.fibry.kernel;

import io.fibry.Actor;
import io.fibry.ActorContext;
import io.fibry.ThrowingConsumer;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The context of an actor that does not reply. */
final class ConsumerContext<M> extends CellContext<M, ThrowingConsumer<M>> {

    private @Nullable Function<ActorContext<M>, ThrowingConsumer<M>> factory; // null after the end

    ConsumerContext(ActorCell<M> actor, int stashLimit, Function<ActorContext<M>, ThrowingConsumer<M>> factory) {
        super(actor, stashLimit);
        this.factory = factory;
    }

    @Override
    @Nullable
    ThrowingConsumer<M> make() {
        return Objects.requireNonNull(factory).apply(this);
    }

    @Override
    void releaseBehavior() {
        behavior = new EndedBehavior<>(EndedBehavior.typeOf(behavior, this));
        factory = null;
    }

    @Override
    public Actor<M> self() {
        return actor;
    }

    @Override
    public void become(ThrowingConsumer<M> behavior) {
        become("become", behavior);
    }
}
