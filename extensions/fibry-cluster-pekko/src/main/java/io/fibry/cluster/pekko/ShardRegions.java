package io.fibry.cluster.pekko;

import io.fibry.StopMode;
import io.fibry.cluster.pekko.Packet.ToEntity;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.ActorSystem;
import org.apache.pekko.cluster.sharding.ClusterSharding;
import org.apache.pekko.cluster.sharding.ClusterShardingSettings;
import org.apache.pekko.cluster.sharding.ShardRegion;
import org.jspecify.annotations.Nullable;

/**
 * The types of entities of this node, and Pekko's shard region of each type. A region sends a message to the node that
 * owns its shard.
 */
final class ShardRegions {

    private final ActorSystem pekko;
    private final ConcurrentHashMap<String, EntityType<?, ?>> types = new ConcurrentHashMap<>();
    private final ConcurrentHashMap<String, ActorRef> byType = new ConcurrentHashMap<>();

    ShardRegions(ActorSystem pekko) {
        this.pekko = pekko;
    }

    /**
     * Starts the region of a type. A shard may arrive before this method returns.
     *
     * @throws IllegalStateException if this node has the type already
     */
    void start(EntityType<?, ?> type) {
        if (types.putIfAbsent(type.name(), type) != null) {
            throw new IllegalStateException("this node has entities of type " + type.name() + " already");
        }
        ClusterSharding sharding = ClusterSharding.get(pekko);
        ClusterShardingSettings settings = ClusterShardingSettings.create(pekko);
        ActorRef region = sharding.start(
                type.name(),
                ShardActor.props(type),
                settings,
                new Extractor(),
                sharding.defaultShardAllocationStrategy(settings),
                ShardActor.Stop.STOP);
        byType.put(type.name(), region);
    }

    /** Returns the region of a type, or null if this node does not have the type. */
    @Nullable
    ActorRef of(String type) {
        return byType.get(type);
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
            return message instanceof ToEntity packet ? Integer.toString(packet.shard) : null;
        }
    }
}
