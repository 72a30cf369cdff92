package io.fibry.cluster.pekko;

import io.fibry.cluster.pekko.Packet.Answer;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.ActorSystem;
import org.apache.pekko.actor.Props;
import org.apache.pekko.cluster.Cluster;

/** The asks of this node, and the way of each answer from an entity to its asker. */
final class AskRouter {

    private final EntityAsks asks = new EntityAsks();
    private final String address;
    private final ActorRef answers;

    AskRouter(ActorSystem pekko) {
        address = Cluster.get(pekko).selfAddress().hostPort();
        answers = pekko.actorOf(
                Props.create(Answers.class, () -> new Answers(asks)).withDispatcher(Settings.SAME_THREAD),
                Answers.NAME);
    }

    EntityAsks asks() {
        return asks;
    }

    /** Returns the address of this node in Pekko's format. */
    String address() {
        return address;
    }

    /** Returns the sender of all messages of this node, which receives the answers. */
    ActorRef answers() {
        return answers;
    }

    /** Sends the answer of an ask. An ask of this node is completed directly. */
    void answer(ActorRef asker, Answer answer) {
        if (asker.equals(answers)) {
            asks.answered(answer);
        } else {
            asker.tell(answer, ActorRef.noSender());
        }
    }
}
