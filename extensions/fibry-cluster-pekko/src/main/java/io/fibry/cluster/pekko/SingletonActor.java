package io.fibry.cluster.pekko;

import io.fibry.entity.EntityOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.pekko.actor.AbstractActorWithTimers;

/**
 * Keeps the singletons running that this node hosts. A singleton is the only entity of its type, and its key is its
 * name. Each host requests its start at regular intervals. The request allocates the shard of the singleton if the
 * shard has no owner, and has no effect if the singleton is running. A singleton thus starts again, without a message,
 * wherever its shard moves.
 */
final class SingletonActor extends AbstractActorWithTimers {

    private static final Duration TICK = Duration.ofMillis(500);

    /** A singleton never becomes idle. If its behavior cannot be created, the creation is repeated. */
    static final EntityOptions OPTIONS =
            EntityOptions.defaults().idleTimeout(null).startRetryDelay(Duration.ofSeconds(1));

    private enum Tick {
        TICK
    }

    /** Adds a singleton that this node hosts. */
    record Hosted(EntityType<?, ?> type) {}

    private final NodeStatus status;
    private final List<EntityType<?, ?>> hosted = new ArrayList<>();

    SingletonActor(NodeStatus status) {
        this.status = status;
        getTimers().startTimerWithFixedDelay(Tick.TICK, Tick.TICK, TICK);
    }

    @Override
    public Receive createReceive() {
        return receiveBuilder()
                .match(Tick.class, tick -> requestStarts())
                .match(Hosted.class, this::add)
                .build();
    }

    private void add(Hosted singleton) {
        hosted.add(singleton.type());
        requestStarts();
    }

    private void requestStarts() {
        if (!status.isLeaving() && !status.isExpelled()) {
            hosted.forEach(type -> type.requestStart(type.name()));
        }
    }
}
