package io.fibry.cluster;

import io.fibry.ActorRef;
import io.fibry.ActorSystem;
import io.fibry.ThrowingFunction;
import io.fibry.cluster.spi.ClusterProvider;
import io.fibry.codec.Codec;
import io.fibry.codec.CodecException;
import io.fibry.durable.DurableEntities;
import io.fibry.durable.DurableOptions;
import io.fibry.durable.DurableType;
import io.fibry.durable.Persistence;
import io.fibry.entity.Entities;
import io.fibry.entity.EntityBehavior;
import io.fibry.entity.EntityOptions;
import io.fibry.observer.ObserverPage;
import io.fibry.topic.Topic;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.ServiceLoader;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A node of a cluster. All methods are safe for use by any thread.
 *
 * {@snippet class = "ClusterSnippets" region = "join"}
 *
 * <p>A node hosts the types of entities that it registers. Each entity lives on one node, and all nodes can send it
 * messages. When a node joins, leaves or fails, entities move: they end on one node and start on another one at their
 * next message.
 *
 * <p><b>One owner.</b> An entity starts on a node only after it has ended on the previous one. A node without a
 * majority stops starting messages before another node takes over, and resumes only after the majority has confirmed
 * its membership. A handler that was started earlier may still run for a moment until it is interrupted: its writes
 * must carry a version, as with {@link io.fibry.durable.Durable}.
 */
public interface ClusterSystem extends AutoCloseable {

    /**
     * Joins a cluster and waits until this node is a member. If there is no cluster, the {@link Discovery} decides
     * which nodes form it.
     *
     * @throws ClusterJoinException if this node cannot join within {@link ClusterOptions#joinTimeout}, or cannot listen
     *     on its address
     * @throws IllegalStateException if there is no cluster implementation: add {@code fibry-cluster-pekko}
     */
    static ClusterSystem join(ClusterOptions options) {
        Objects.requireNonNull(options, "options");
        return ServiceLoader.load(ClusterProvider.class, ClusterProvider.class.getClassLoader())
                .findFirst()
                .or(() -> ServiceLoader.load(ClusterProvider.class).findFirst())
                .orElseThrow(() -> new IllegalStateException(
                        "no module runs clusters: add io.fibry:fibry-cluster-pekko to the dependencies"))
                .join(options);
    }

    /**
     * Registers a type with the default options; see
     * {@link #entities(String, Codec, Codec, ThrowingFunction, EntityOptions)}.
     */
    default <M, R extends @Nullable Object> Entities<String, M, R> entities(
            String type, Codec<M> messages, Codec<R> replies, ThrowingFunction<String, EntityBehavior<M, R>> begin) {
        return entities(type, messages, replies, begin, EntityOptions.defaults());
    }

    /**
     * Registers a type of entities, which this node then hosts. Every node that hosts the type passes the same
     * arguments. Other nodes own no entities of the type, and use {@link #client} to send messages to them.
     *
     * @param type the name of the type: letters, digits, and any of {@code - _ .}
     * @param replies the codec of the replies, or {@link Codec#none()}
     * @param begin creates the behavior of an entity, at its first message and inside its actor; it may block
     * @throws IllegalArgumentException if the name is not valid, or an option is not for clusters: see
     *     {@code docs/cluster.md}
     * @throws IllegalStateException if the type is registered already, or this node is closed
     */
    <M, R extends @Nullable Object> Entities<String, M, R> entities(
            String type,
            Codec<M> messages,
            Codec<R> replies,
            ThrowingFunction<String, EntityBehavior<M, R>> begin,
            EntityOptions options);

    /**
     * Registers a type of durable entities with the default options; see
     * {@link #entities(Persistence, DurableOptions)}.
     */
    default <M, R extends @Nullable Object> DurableEntities<M, R> entities(Persistence<M, R> persistence) {
        return entities(persistence, DurableOptions.defaults());
    }

    /**
     * Registers a type of durable entities, which this node then hosts. Every node that hosts the type passes the same
     * arguments, and uses the same database. This node also delivers stored messages and due reminders of the type to
     * their entities, on any node.
     *
     * @throws IllegalArgumentException as {@link #entities(String, Codec, Codec, ThrowingFunction, EntityOptions)}
     * @throws IllegalStateException if the type is registered already, or this node is closed
     */
    <M, R extends @Nullable Object> DurableEntities<M, R> entities(
            Persistence<M, R> persistence, DurableOptions options);

    /**
     * Returns the durable entities of a type that this node does not host; see
     * {@link #client(String, Codec, Codec)}.
     */
    default <M, R extends @Nullable Object> DurableEntities<M, R> client(DurableType<M, R> type) {
        return DurableEntities.client(this::client, type);
    }

    /**
     * Returns the entities of a type that this node does not host. While no node of the cluster hosts the type, a tell
     * throws an {@link io.fibry.ActorStoppedException}, and an ask fails with it.
     *
     * @param type the name of the type
     * @param replies the codec of the replies, or {@link Codec#none()}
     * @throws IllegalArgumentException if the name is not valid
     * @throws IllegalStateException if this node is closed
     */
    <M, R extends @Nullable Object> Entities<String, M, R> client(String type, Codec<M> messages, Codec<R> replies);

    /**
     * Registers a singleton, an actor that exists once in the cluster. It lives on one of the nodes that register it.
     * It starts without a message. When its node leaves or fails, it ends, and starts with a new behavior on another
     * node. It has the guarantees of an entity: one owner at a time, and the same delivery of messages. It never ends
     * because it is idle. If its behavior cannot be created, the creation is repeated after a second.
     *
     * {@snippet class = "ClusterSnippets" region = "singleton"}
     *
     * @param name as the name of a type of entities; no type has the same name. A node that does not register the
     *     singleton refers to it by {@code client(name, messages, replies).ref(name)}
     * @param replies the codec of the replies, or {@link Codec#none()}
     * @param begin creates the behavior, inside the actor; its argument refers to the singleton itself
     * @return a reference that is valid for all nodes of the singleton, one after the other
     * @throws IllegalArgumentException if the name is not valid
     * @throws IllegalStateException if the name is registered already, or this node is closed
     */
    <M, R extends @Nullable Object> ActorRef<M, R> singleton(
            String name,
            Codec<M> messages,
            Codec<R> replies,
            ThrowingFunction<ActorRef<M, R>, EntityBehavior<M, R>> begin);

    /**
     * Starts a topic on this node. A message that any node publishes to a topic of this name reaches the subscribers on
     * all nodes, each at most once. A subscriber receives the messages of one publisher in order.
     *
     * <p>A message does not reach a node that fails, that stays unreachable, or to which too many messages wait. The
     * messages that this node discards are counted in {@link ClusterStats#lost}. A node that has not started the topic
     * ignores its messages.
     *
     * <p>{@code publish} throws a {@link CodecException} if the message cannot be encoded, and a
     * {@link NoMajorityException} if this node has no majority. {@code close} ends the topic on this node only.
     *
     * @param name as the name of a type of entities; topics have names of their own
     * @throws IllegalArgumentException if the name is not valid
     * @throws IllegalStateException if this node has the topic already, or is closed
     */
    <M> Topic<M> topic(String name, Codec<M> messages);

    /**
     * Returns whether this node can serve requests: it is a member, a majority has confirmed that within the last
     * seconds, and the entities of its types can be allocated. For readiness checks, for instance
     * {@code routes.health("/ready", cluster::isReady)}.
     */
    boolean isReady();

    /** Returns the actor system of the entities on this node. Closing this node closes it. */
    ActorSystem system();

    /** Returns this node. */
    Member self();

    /** Returns the members as seen by this node, including itself, sorted by address. */
    List<Member> members();

    /** Returns a snapshot of the counters of this node. */
    ClusterStats stats();

    /**
     * Returns a page about the cluster, as seen by this node, for {@link io.fibry.observer.ObserverOptions#pages}: the
     * members and their states, the shards by type and node, the shards that this node is handing over, and the moves
     * of shards between all nodes since the start of this node. The numbers of other nodes are those of their last
     * announcement, once per second.
     *
     * {@snippet class = "ClusterSnippets" region = "observer"}
     */
    ObserverPage observerPage();

    /**
     * Adds a listener. It is called for each event, in order and one at a time, on a thread of this library. It may
     * block, which delays further events. Its exceptions are logged.
     */
    void onEvent(Consumer<ClusterEvent> listener);

    /**
     * Returns a future that completes when this node has left the cluster or has been removed from it. It never fails.
     */
    CompletableFuture<@Nullable Void> removed();

    /** Leaves the cluster: {@code close(Duration.ofSeconds(30))}. */
    @Override
    default void close() {
        close(Duration.ofSeconds(30));
    }

    /**
     * Leaves the cluster and waits until this node has left. First its entities move to other nodes: each handles its
     * accepted messages, for at most {@link ClusterOptions#drain}. From the call on, this node refuses messages of its
     * own program. Further calls also wait.
     *
     * @return whether the node has left before the deadline. If not, it is stopped, and the other nodes remove it after
     *     they detect its failure
     * @throws IllegalArgumentException if the deadline is negative; the node has not left then
     */
    boolean close(Duration deadline);
}
