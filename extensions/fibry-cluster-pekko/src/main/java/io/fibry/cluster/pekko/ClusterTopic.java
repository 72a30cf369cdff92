package io.fibry.cluster.pekko;

import io.fibry.Actor;
import io.fibry.ActorStoppedException;
import io.fibry.Overflow;
import io.fibry.cluster.pekko.Packet.Published;
import io.fibry.codec.Codec;
import io.fibry.topic.LocalTopic;
import io.fibry.topic.Topic;
import io.fibry.topic.TopicOptions;
import io.fibry.topic.TopicStats;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.pekko.actor.ActorRef;

/** A topic with subscribers on several nodes. A local topic forwards its messages to the subscribers of this node. */
final class ClusterTopic<M> implements Topic<M> {

    private final String name;
    private final CheckedCodec<M> codec;
    private final NodeStatus status;
    private final ActorRef topics;
    private final ConcurrentHashMap<String, ClusterTopic<?>> all;
    private final LocalTopic<M> local;

    private ClusterTopic(
            String name,
            CheckedCodec<M> codec,
            NodeStatus status,
            ActorRef topics,
            ConcurrentHashMap<String, ClusterTopic<?>> all,
            LocalTopic<M> local) {
        this.name = name;
        this.codec = codec;
        this.status = status;
        this.topics = topics;
        this.all = all;
        this.local = local;
    }

    /**
     * Starts a topic.
     *
     * @param topics the {@link TopicActor} of the node
     * @param all the topics of the node, by name
     * @throws IllegalStateException if the node has the topic already
     */
    static <M> ClusterTopic<M> start(
            String name,
            Codec<M> messages,
            PekkoCluster cluster,
            ActorRef topics,
            ConcurrentHashMap<String, ClusterTopic<?>> all) {
        var codec = new CheckedCodec<>(messages, cluster.options().maxMessageBytes());
        LocalTopic<M> local =
                LocalTopic.start(cluster.system().actor().label("topic " + name), TopicOptions.defaults());
        var topic = new ClusterTopic<>(name, codec, cluster.status(), topics, all, local);
        if (all.putIfAbsent(name, topic) != null) {
            local.stop();
            throw new IllegalStateException("this node has topic " + name + " already");
        }
        return topic;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public void publish(M message) {
        byte[] bytes = codec.encoded(message);
        status.checkMajority();
        if (all.get(name) != this) {
            throw new ActorStoppedException("topic " + name + " has been closed on this node", null);
        }
        topics.tell(new TopicActor.Publish(new Published(name, bytes)), ActorRef.noSender());
    }

    /** Delivers a message to the subscribers of this node. Called by the {@link TopicActor}. */
    void deliver(byte[] message) {
        M decoded = codec.decoded(message);
        try {
            local.publish(decoded);
        } catch (ActorStoppedException e) {
            return; // the topic is closed, or this node ends
        }
    }

    @Override
    public void subscribe(Actor<? super M> subscriber) {
        local.subscribe(subscriber);
    }

    @Override
    public void subscribe(Actor<? super M> subscriber, int capacity, Overflow overflow) {
        local.subscribe(subscriber, capacity, overflow);
    }

    @Override
    public boolean unsubscribe(Actor<? super M> subscriber) {
        return local.unsubscribe(subscriber);
    }

    @Override
    public TopicStats stats() {
        return local.stats();
    }

    @Override
    public void close() {
        all.remove(name, this);
        local.close();
    }
}
