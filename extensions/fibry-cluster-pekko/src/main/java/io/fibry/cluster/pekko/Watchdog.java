package io.fibry.cluster.pekko;

import java.util.List;
import org.apache.pekko.actor.AbstractActor;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.Terminated;

/**
 * Watches the actors without which a node cannot work. Without TLS, any client that reaches the port can stop them. The
 * node then has to be removed instead of refusing all messages as a member.
 */
final class Watchdog extends AbstractActor {

    private final List<ActorRef> vital;
    private final Runnable onEnd;

    Watchdog(List<ActorRef> vital, Runnable onEnd) {
        this.vital = vital;
        this.onEnd = onEnd;
    }

    @Override
    public void preStart() {
        vital.forEach(getContext()::watch);
    }

    @Override
    public Receive createReceive() {
        return receiveBuilder().match(Terminated.class, ended -> onEnd.run()).build();
    }
}
