package io.fibry.pool;

import io.fibry.Actor;
import io.fibry.ActorBuilder;
import io.fibry.ThreadStrategy;
import io.fibry.ThrowingConsumer;
import java.util.Objects;

/** Starts actors that handle their messages in parallel, each message in a child actor of its own. */
public final class Workers {

    private record Worker(Actor<?> parent) {
        @Override
        public String toString() {
            return parent.name() + ", worker";
        }
    }

    private Workers() {}

    /**
     * Starts an actor that handles each message in a new child. The children run in no order, and their number has no limit. What
     * the behavior throws is logged with the child's name, and affects no other message.
     *
     * <p>After a stop, the actor still passes the accepted messages to children, and ends when all of them have been handled.
     * With a harder {@link io.fibry.StopMode} than {@code DRAIN}, messages that no child has begun to handle become dead letters.
     *
     * @param builder builds the actor
     * @param strategy the threads of the actor and its children
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
