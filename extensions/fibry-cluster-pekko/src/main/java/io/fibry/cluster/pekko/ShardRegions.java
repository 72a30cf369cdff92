package io.fibry.cluster.pekko;

import io.fibry.cluster.pekko.Packet.ToEntity;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.ActorSystem;
import org.apache.pekko.cluster.sharding.ClusterSharding;
import org.apache.pekko.cluster.sharding.ClusterShardingSettings;
import org.apache.pekko.cluster.sharding.ShardRegion;
import org.jspecify.annotations.Nullable;

/** Pekko's shard regions, one per type. A region sends a message to the node that owns its shard. */
final class ShardRegions {

    private final ActorSystem pekko;
    private final ConcurrentHashMap<String, ActorRef> byType = new ConcurrentHashMap<>();

    ShardRegions(ActorSystem pekko) {
        this.pekko = pekko;
    }

    void start(EntityType<?, ?> type) {
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
