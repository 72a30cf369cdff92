package io.fibry.cluster.pekko;

import io.fibry.StopMode;
import io.fibry.cluster.pekko.Packet.Shards;
import io.fibry.cluster.pekko.Packet.ToEntity;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.ActorSystem;
import org.apache.pekko.actor.Props;
import org.apache.pekko.cluster.Cluster;
import org.apache.pekko.cluster.sharding.ClusterSharding;
import org.apache.pekko.cluster.sharding.ClusterShardingSettings;
import org.apache.pekko.cluster.sharding.ShardRegion;
import org.jspecify.annotations.Nullable;
import scala.concurrent.duration.FiniteDuration;

/**
 * The types of entities that this node hosts, and Pekko's shard region of each type that any node hosts. A region sends
 * a message to the node that owns its shard. {@link HostAllocation} gives no shards to the region of a type that its
 * node does not host.
 *
 * <p>Pekko requires the region on every node: the oldest node runs the coordinator of each type, and all nodes store
 * the coordinator's state.
 */
final class ShardRegions {

    /**
     * The time after which Pekko forgets that a removed node has run coordinators. Zero would select the default, which
     * is {@link Timing#margin}.
     *
     * <p>When the oldest node leaves, the next one requests its coordinators. It sends the request to the first former
     * oldest node that it has not forgotten, which may have left earlier. If that node has restarted with the same
     * address, it confirms that it runs no coordinator. The requesting node then starts coordinators while those of the
     * leaving node still run, and two coordinators of a type assign the same shard to different nodes.
     *
     * <p>The margin is not needed here. The entities of a removed node wait for the {@link TakeoverBarrier}.
     */
    private static final FiniteDuration FORGET = FiniteDuration.create(1, TimeUnit.MILLISECONDS);

    private final ActorSystem pekko;
    private final TypeDirectory directory;
    private final ConcurrentHashMap<String, EntityType<?, ?>> types = new ConcurrentHashMap<>();
    private final ConcurrentHashMap<String, ActorRef> byType = new ConcurrentHashMap<>();
    private final ReentrantLock starting = new ReentrantLock();

    ShardRegions(ActorSystem pekko, TypeDirectory directory) {
        this.pekko = pekko;
        this.directory = directory;
    }

    /**
     * Hosts a type. A shard may arrive before this method returns.
     *
     * @throws IllegalStateException if this node has the type already, or too many types
     */
    void host(EntityType<?, ?> type) {
        starting.lock();
        try {
            EntityType<?, ?> before = types.get(type.name());
            if (before != null && !before.hasEnded()) {
                throw new IllegalStateException("this node has entities of type " + type.name() + " already");
            }
            if (before == null && types.size() == TypeDirectory.MOST_TYPES) {
                throw new IllegalStateException("a node can have " + TypeDirectory.MOST_TYPES + " types of entities");
            }
            start(type.name()); // no shards arrive before the node hosts the type
            types.put(type.name(), type);
            directory.host(type.name());
        } finally {
            starting.unlock();
        }
    }

    /**
     * Stops hosting a type. The coordinator moves its shards to other hosts. The type stays known, because a shard may
     * arrive that was allocated before.
     */
    void unhost(EntityType<?, ?> type) {
        starting.lock();
        try {
            if (types.get(type.name()) == type) {
                directory.unhost(type.name());
            }
        } finally {
            starting.unlock();
        }
    }

    /** Starts the region of a type, unless this node has it. */
    void start(String type) {
        if (byType.containsKey(type)) {
            return;
        }
        starting.lock();
        try {
            if (!byType.containsKey(type)) {
                byType.put(type, started(type));
            }
        } finally {
            starting.unlock();
        }
    }

    private ActorRef started(String type) {
        ClusterSharding sharding = ClusterSharding.get(pekko);
        ClusterShardingSettings settings = settings();
        return sharding.start(
                type,
                Props.create(ShardActor.class, () -> shard(type)).withDispatcher(Settings.SAME_THREAD),
                settings,
                new Extractor(pekko.settings().config().getInt(Settings.SHARDS)),
                new HostAllocation(
                        type, directory, Cluster.get(pekko), sharding.defaultShardAllocationStrategy(settings)),
                ShardActor.Stop.STOP);
    }

    private ClusterShardingSettings settings() {
        ClusterShardingSettings settings = ClusterShardingSettings.create(pekko);
        return settings.withCoordinatorSingletonSettings(
                settings.coordinatorSingletonSettings().withRemovalMargin(FORGET));
    }

    private ShardActor<?, ?> shard(String type) {
        return new ShardActor<>(Objects.requireNonNull(types.get(type), "this node does not host the type"));
    }

    /** Returns the regions of all types on this node. */
    Map<String, ActorRef> started() {
        return byType;
    }

    /** Returns the region of a type, or null if this node does not have the type. */
    @Nullable
    ActorRef of(String type) {
        return byType.get(type);
    }

    /** Returns the announcement of the shards that this node owns, for each of its types. */
    List<Shards> owned(long self) {
        return types.values().stream()
                .map(type -> new Shards(self, type.name(), type.ownedShards()))
                .toList();
    }

    /** Returns the types that this node has registered, in the order of their names. */
    Collection<EntityType<?, ?>> registered() {
        return new TreeMap<String, EntityType<?, ?>>(types).values();
    }

    /** Interrupts the entities of this node, and ends them. */
    void interruptEntities() {
        types.values().forEach(type -> type.owned().forEach(entities -> entities.stop(StopMode.INTERRUPT)));
    }

    /** Returns the number of shards that this node owns. */
    int shards() {
        return types.values().stream().mapToInt(EntityType::shards).sum();
    }

    /** Returns the number of entities on this node. */
    int entities() {
        return types.values().stream().mapToInt(EntityType::size).sum();
    }

    /** Returns the path of the region of a type on a node. Pekko names a region after its type. */
    static String path(String node, String type) {
        return node + "/system/sharding/" + type;
    }

    /**
     * Maps messages to shards. From Pekko's point of view, a shard has a single entity: the {@link ShardActor}, named
     * after the shard.
     */
    private static final class Extractor implements ShardRegion.MessageExtractor {
        private final int shards;

        Extractor(int shards) {
            this.shards = shards;
        }

        @Override
        public @Nullable String entityId(Object message) {
            return shardId(message);
        }

        @Override
        public Object entityMessage(Object message) {
            return message;
        }

        @Override
        public @Nullable String shardId(Object message) {
            return message instanceof ToEntity packet && packet.shard >= 0 && packet.shard < shards
                    ? Integer.toString(packet.shard)
                    : null;
        }
    }
}
