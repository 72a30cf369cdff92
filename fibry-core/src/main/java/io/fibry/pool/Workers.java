package io.fibry.pool;

import io.fibry.Actor;
import io.fibry.ActorBuilder;
import io.fibry.ThreadStrategy;
import io.fibry.ThrowingConsumer;
import java.util.Objects;

/** Starts actors that handle their messages concurrently, each message in its own child actor. */
public final class Workers {

    private record Worker(Actor<?> parent) {
        @Override
        public String toString() {
            return parent.name() + ", worker";
        }
    }

    private Workers() {}

    /**
     * Starts an actor that handles each message in a new child. The children run in no particular order, and their
     * number is not limited. An exception of the behavior is logged with the child's name, and affects no other
     * message.
     *
     * <p>A draining actor passes its accepted messages to children, and ends when its children have handled all of
     * them. In a {@link io.fibry.StopMode} harder than {@code DRAIN}, messages whose handling has not started become
     * dead letters.
     *
     * @param builder its strategy is that of the actor and its children
     * @throws IllegalStateException if the system is closed
     */
    public static <M> Actor<M> start(ActorBuilder<Object> builder, ThrowingConsumer<M> behavior) {
        Objects.requireNonNull(behavior, "behavior");
        ThreadStrategy strategy = builder.strategy();
        return builder.newActorFrom(context -> message -> context.spawn()
                .strategy(strategy)
                .label(new Worker(context.self()))
                .runOnce(() -> behavior.accept(message)));
    }
}
