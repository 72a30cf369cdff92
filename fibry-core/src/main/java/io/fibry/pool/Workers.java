package io.fibry.pool;

import io.fibry.Actor;
import io.fibry.ActorBuilder;
import io.fibry.ThreadStrategy;
import io.fibry.ThrowingConsumer;
import java.util.Objects;

/** Makes actors that handle their messages in parallel: each message gets an actor of its own, which ends with it. */
public final class Workers {

    private record Worker(Actor<?> parent) {
        @Override
        public String toString() {
            return parent.name() + ", worker";
        }
    }

    private Workers() {}

    /**
     * Starts an actor that hands every message to a child. There is no limit to the number of children and no order among
     * them. What the behavior throws is logged with the child's name and affects no other message.
     *
     * <p>A stopped actor hands out what it has accepted, and ends when all of it has been handled. With a harder
     * {@link io.fibry.StopMode} the messages that no child has begun to handle become dead letters.
     *
     * @param builder makes the actor
     * @param strategy where the actor and its children get their threads from
     * @throws IllegalStateException if the system is closed
     */
    public static <M> Actor<M> start(
            ActorBuilder<Object> builder, ThreadStrategy strategy, ThrowingConsumer<M> behavior) {
        Objects.requireNonNull(behavior, "behavior");
        return builder.strategy(strategy)
                .newActorFrom(context -> message -> context.spawn()
                        .strategy(strategy)
                        .label(new Worker(context.self()))
                        .runOnce(() -> behavior.accept(message)));
    }
}
