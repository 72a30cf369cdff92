package io.fibry.cluster.pekko;

import io.fibry.cluster.pekko.Packet.ToEntity;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.ActorSystem;
import org.apache.pekko.cluster.sharding.ClusterSharding;
import org.apache.pekko.cluster.sharding.ClusterShardingSettings;
import org.apache.pekko.cluster.sharding.ShardRegion;
import org.jspecify.annotations.Nullable;

/** The regions of Pekko: one for each type, which sends a message to the node that owns the shard. */
final class Regions {

    private final ActorSystem pekko;
    private final ConcurrentHashMap<String, ActorRef> byType = new ConcurrentHashMap<>();

    Regions(ActorSystem pekko) {
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

    /** Null if this node does not have the type. */
    @Nullable
    ActorRef of(String type) {
        return byType.get(type);
    }

    /** The path of the region of a type on a node; Pekko names it after the type. */
    static String path(String node, String type) {
        return node + "/system/sharding/" + type;
    }

    /** For Pekko, a shard has a single entity: the {@link ShardActor}, named after the shard. */
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
