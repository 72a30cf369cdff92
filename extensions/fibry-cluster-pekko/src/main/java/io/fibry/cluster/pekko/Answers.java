package io.fibry.cluster.pekko;

import io.fibry.cluster.pekko.Packet.Answer;
import org.apache.pekko.actor.AbstractActor;

/** Receives the answers to the asks of this node, from all nodes. */
final class Answers extends AbstractActor {

    static final String NAME = "fibry-answers";

    private final EntityAsks asks;

    Answers(EntityAsks asks) {
        this.asks = asks;
    }

    @Override
    public Receive createReceive() {
        return receiveBuilder().match(Answer.class, asks::answered).build();
    }
}
