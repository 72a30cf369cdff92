package io.fibry.cluster.pekko;

import io.fibry.Actor;
import io.fibry.ActorStoppedException;
import io.fibry.ActorSystem;
import io.fibry.cluster.ClusterEvent;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The listeners of the events of a node. Each one is an actor, so a slow one delays no other. */
final class ClusterListeners {

    private static final Logger LOG = LoggerFactory.getLogger(ClusterListeners.class);

    private final ActorSystem system;
    private final List<Actor<ClusterEvent>> listeners = new CopyOnWriteArrayList<>();

    ClusterListeners(ActorSystem system) {
        this.system = system;
    }

    void add(Consumer<ClusterEvent> listener) {
        listeners.add(system.actor().label("cluster events").newActor(listener::accept));
    }

    void publish(ClusterEvent event) {
        for (Actor<ClusterEvent> listener : listeners) {
            try {
                listener.tell(event);
            } catch (ActorStoppedException e) {
                LOG.debug("A listener was not notified of {}: the node has ended", event);
            }
        }
    }
}
