package io.fibry.cluster.pekko;

import io.fibry.cluster.pekko.Packet.Published;
import io.fibry.codec.CodecException;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.pekko.actor.AbstractActor;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.ExtendedActorSystem;
import org.apache.pekko.cluster.Cluster;
import org.apache.pekko.cluster.Member;

/**
 * Exchanges the messages of topics with the other nodes. A message goes to every member, and a node without the topic
 * ignores it. All messages of a node pass through this actor in order.
 */
final class TopicActor extends AbstractActor {

    static final String NAME = "fibry-topics";

    /** A message that a program of this node publishes. */
    record Publish(Published message) {}

    private final ConcurrentHashMap<String, ClusterTopic<?>> topics;
    private final ClusterCounters counts;
    private final Cluster cluster = Cluster.get(getContext().getSystem());
    private final ExtendedActorSystem system =
            (ExtendedActorSystem) getContext().getSystem();

    /** @param topics the topics of this node, by name */
    TopicActor(ConcurrentHashMap<String, ClusterTopic<?>> topics, ClusterCounters counts) {
        this.topics = topics;
        this.counts = counts;
    }

    @Override
    public Receive createReceive() {
        return receiveBuilder()
                .match(Publish.class, publish -> publish(publish.message()))
                .match(Published.class, this::deliver)
                .build();
    }

    private void publish(Published message) {
        for (Member member : cluster.state().getMembers()) {
            if (!member.uniqueAddress().equals(cluster.selfUniqueAddress())) {
                system.provider()
                        .resolveActorRef(member.address() + "/user/" + NAME)
                        .tell(message, ActorRef.noSender());
            }
        }
        deliver(message);
    }

    private void deliver(Published message) {
        ClusterTopic<?> topic = topics.get(message.topic);
        if (topic != null) {
            try {
                topic.deliver(message.message);
            } catch (CodecException e) {
                counts.refused();
            }
        }
    }
}
