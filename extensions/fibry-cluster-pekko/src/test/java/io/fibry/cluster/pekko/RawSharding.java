package io.fibry.cluster.pekko;

import io.fibry.cluster.pekko.Packet.Answer;
import io.fibry.cluster.pekko.Packet.ToEntity;
import io.fibry.codec.Codec;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.apache.pekko.actor.AbstractActor;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.ActorSystem;
import org.apache.pekko.actor.Props;
import org.apache.pekko.cluster.sharding.ClusterSharding;
import org.apache.pekko.cluster.sharding.ClusterShardingSettings;
import org.apache.pekko.cluster.sharding.ShardRegion;
import org.apache.pekko.pattern.Patterns;
import org.jspecify.annotations.Nullable;

/** Pekko's own sharding with the same messages, codecs and shards, for comparison: one Pekko actor per key. */
final class RawSharding {

    private final ActorRef region;
    private final int shards;
    private final Codec<String> codec;

    RawSharding(ActorSystem pekko, int shards, Codec<String> codec) {
        this.shards = shards;
        this.codec = codec;
        region = ClusterSharding.get(pekko)
                .start(
                        "raw",
                        Props.create(Entity.class, () -> new Entity(codec)),
                        ClusterShardingSettings.create(pekko),
                        new Extractor());
    }

    void tell(String key, String message) {
        region.tell(packet(ToEntity.Kind.TELL, key, message), ActorRef.noSender());
    }

    CompletableFuture<String> ask(String key, String message, Duration timeout) {
        return Patterns.ask(region, packet(ToEntity.Kind.ASK, key, message), timeout)
                .thenApply(answer -> codec.decode(((Answer) answer).content))
                .toCompletableFuture();
    }

    private ToEntity packet(ToEntity.Kind kind, String key, String message) {
        int shard = Math.floorMod((key.hashCode() * 0x9E3779B9) >>> 8, shards);
        return new ToEntity("raw", kind, shard, key, codec.encode(message), "", 0, 0, 0);
    }

    private static final class Entity extends AbstractActor {
        private final Codec<String> codec;
        private final ClusterSpeed.Counter counter = new ClusterSpeed.Counter();

        Entity(Codec<String> codec) {
            this.codec = codec;
        }

        @Override
        public Receive createReceive() {
            return receiveBuilder().match(ToEntity.class, this::receive).build();
        }

        private void receive(ToEntity packet) {
            String message = codec.decode(packet.message);
            String reply = counter.handle(message);
            if (packet.kind == ToEntity.Kind.ASK) {
                sender().tell(new Answer(0, Answer.Outcome.REPLIED, codec.encode(reply)), self());
            }
        }
    }

    private static final class Extractor implements ShardRegion.MessageExtractor {
        @Override
        public @Nullable String entityId(Object message) {
            return message instanceof ToEntity packet ? packet.key : null;
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
