package io.fibry.cluster;

import io.fibry.ActorSystem;
import io.fibry.ThrowingFunction;
import io.fibry.cluster.spi.ClusterProvider;
import io.fibry.entity.Entities;
import io.fibry.entity.EntityBehavior;
import io.fibry.entity.EntityOptions;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.ServiceLoader;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A node of a cluster. Any thread may use it.
 *
 * {@snippet class = "ClusterSnippets" region = "join"}
 *
 * <p>Every node makes the same types of entities. Each entity lives on one node, and all nodes can send it messages. When a node joins,
 * leaves or fails, entities move: they end on one node, and begin on another one at their next message.
 *
 * <p><b>One owner.</b> An entity begins on a node only after it has ended on the one before. A node that cannot reach the majority of
 * the others begins no message, from before the others take over until it has their confirmation again. What a handler has begun before
 * may still run for a moment, and is interrupted: so what it writes must carry a version, as {@link io.fibry.cluster.state.Durable} does.
 */
public interface ClusterSystem extends AutoCloseable {

    /**
     * Joins a cluster, and waits until this node is a part of it. The first of the {@link ClusterConfig#seeds} forms the cluster if
     * there is none.
     *
     * @throws ClusterJoinException if this node cannot join within {@link ClusterConfig#joinTimeout}, or cannot listen on its address
     * @throws IllegalStateException if no module runs clusters: add {@code fibry-cluster-pekko}
     */
    static ClusterSystem join(ClusterConfig config) {
        Objects.requireNonNull(config, "config");
        return ServiceLoader.load(ClusterProvider.class, ClusterProvider.class.getClassLoader())
                .findFirst()
                .or(() -> ServiceLoader.load(ClusterProvider.class).findFirst())
                .orElseThrow(() -> new IllegalStateException(
                        "no module runs clusters: add io.fibry:fibry-cluster-pekko to the dependencies"))
                .join(config);
    }

    /** As {@link #entities(String, Codec, Codec, ThrowingFunction, EntityOptions)}, with the default options. */
    default <M, R extends @Nullable Object> Entities<String, M, R> entities(
            String type, Codec<M> messages, Codec<R> replies, ThrowingFunction<String, EntityBehavior<M, R>> begin) {
        return entities(type, messages, replies, begin, EntityOptions.defaults());
    }

    /**
     * Makes a type of entities. Call it once for each type on every node, with the same arguments. A node that does not call it owns no
     * entities of the type.
     *
     * @param type the name of the type: letters, digits, and any of {@code - _ .}
     * @param replies if messages have no reply, {@link Codec#none()}
     * @param begin makes the behavior of an entity, at its first message and inside its actor; it may block
     * @throws IllegalArgumentException if the name is not valid, or an option is not for clusters: see {@code docs/cluster.md}
     * @throws IllegalStateException if this node has the type already, or has been closed
     */
    <M, R extends @Nullable Object> Entities<String, M, R> entities(
            String type,
            Codec<M> messages,
            Codec<R> replies,
            ThrowingFunction<String, EntityBehavior<M, R>> begin,
            EntityOptions options);

    /** The actor system of the entities on this node. It is closed with this. */
    ActorSystem system();

    /** This node. */
    Member self();

    /** The members, as this node knows them, itself included; sorted by address. */
    List<Member> members();

    /** The counts of this node. */
    ClusterStats stats();

    /**
     * Calls the listener for each event, in their order, one at a time, on threads of this library. It may block; then the next event
     * waits. What it throws is logged.
     */
    void onEvent(Consumer<ClusterEvent> listener);

    /** Completes when this node is no longer a part of the cluster: it has left, or the others have removed it. Never fails. */
    CompletableFuture<@Nullable Void> removed();

    /** Leaves: {@code close(Duration.ofSeconds(30))}. */
    @Override
    default void close() {
        close(Duration.ofSeconds(30));
    }

    /**
     * Leaves the cluster, and waits until this node has left. First its entities move to the other nodes: each one handles what it has
     * accepted, at most for {@link ClusterConfig#drain}. From now on, this node refuses messages of its own program. Called again, it
     * waits too.
     *
     * @return whether the node has left in this time. If not, it is stopped, and the others remove it when they miss it
     */
    boolean close(Duration deadline);
}
