package io.fibry.cluster.pekko;

import io.fibry.ActorBuilder;
import io.fibry.ActorRef;
import io.fibry.Overflow;
import io.fibry.ThreadStrategy;
import io.fibry.ThrowingFunction;
import io.fibry.cluster.Codec;
import io.fibry.cluster.CodecException;
import io.fibry.cluster.pekko.Packet.ToEntity;
import io.fibry.entity.Entities;
import io.fibry.entity.EntityBehavior;
import io.fibry.entity.EntityOptions;
import io.fibry.entity.LocalEntities;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.BitSet;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The entities of one type on a node: references to all entities of the type, and the shards that the node owns. */
final class EntityType<M, R extends @Nullable Object> implements Entities<String, M, R> {

    private static final byte[] NOTHING = {};

    /** The maximum length of a key; equal to the maximum length of an id in the state store. */
    private static final int LONGEST_KEY = 500;

    private final PekkoCluster cluster;
    private final String name;
    private final Codec<M> messages;
    private final Codec<R> replies;
    private final ThrowingFunction<String, EntityBehavior<M, R>> begin;
    private final EntityOptions options;
    private final ConcurrentHashMap<Integer, LocalEntities<String, Object, R>> owned = new ConcurrentHashMap<>();

    EntityType(
            PekkoCluster cluster,
            String name,
            Codec<M> messages,
            Codec<R> replies,
            ThrowingFunction<String, EntityBehavior<M, R>> begin,
            EntityOptions options) {
        this.cluster = cluster;
        this.name = name;
        this.messages = Objects.requireNonNull(messages, "messages");
        this.replies = Objects.requireNonNull(replies, "replies");
        this.begin = Objects.requireNonNull(begin, "begin");
        this.options = forShards(options);
    }

    /** Delivery to an entity must not wait for room in its mailbox; a full mailbox therefore refuses messages. */
    private static EntityOptions forShards(EntityOptions options) {
        if (options.maxInMemory() < Integer.MAX_VALUE) {
            throw new IllegalArgumentException(
                    "maxInMemory is for entities on one machine; set idleTimeout to end entities on a cluster");
        }
        return options.capacity() > 0 && options.overflow() == Overflow.BLOCK
                ? options.bounded(options.capacity(), Overflow.FAIL)
                : options;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public ActorRef<M, R> ref(String key) {
        check(key);
        return new ClusterEntityRef<>(this, key);
    }

    private static void check(String key) {
        if (key.isEmpty() || key.length() > LONGEST_KEY) {
            throw new IllegalArgumentException(
                    "a key must have 1 to " + LONGEST_KEY + " characters, not " + key.length());
        }
        if (key.codePoints().anyMatch(c -> c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE)) {
            throw new IllegalArgumentException("a key must be valid UTF-16: this key has an unpaired surrogate");
        }
    }

    @Override
    public void end(String key) {
        check(key);
        cluster.status().checkMajority();
        send(new ToEntity(name, ToEntity.Kind.END, shardOf(key), key, NOTHING, "", 0, 0, 0));
    }

    @Override
    public int size() {
        return owned.values().stream().mapToInt(LocalEntities::size).sum();
    }

    // ---- for references

    PekkoCluster cluster() {
        return cluster;
    }

    void tell(String key, byte[] message) {
        send(new ToEntity(name, ToEntity.Kind.TELL, shardOf(key), key, message, "", 0, 0, 0));
    }

    EntityAsks.Ask<R> ask(String key, byte[] message, Duration timeout) {
        EntityAsks.Ask<R> ask = cluster.router().asks().begin(nameOf(key), replies, timeout);
        long millis = Math.max(1, TimeUnit.MILLISECONDS.convert(timeout));
        String asker = cluster.router().address();
        send(new ToEntity(name, ToEntity.Kind.ASK, shardOf(key), key, message, asker, ask.id, millis, 0));
        return ask;
    }

    private void send(ToEntity packet) {
        if (!cluster.isHeld(packet)) {
            Objects.requireNonNull(cluster.regions().of(name))
                    .tell(packet, cluster.router().answers());
        }
    }

    String nameOf(String key) {
        return name + "/" + key;
    }

    byte[] encoded(M message) {
        byte[] bytes = messages.encode(Objects.requireNonNull(message, "message"));
        checkSize(bytes);
        return bytes;
    }

    private void checkSize(byte[] bytes) {
        int most = cluster.options().maxMessageBytes();
        if (bytes.length > most) {
            throw new CodecException(
                    "a message of " + bytes.length + " bytes is larger than maxMessageBytes, which is " + most, null);
        }
    }

    private int shardOf(String key) {
        return shardOf(key, cluster.options().shards());
    }

    /** Returns the shard of a key. The result is the same on every node and in every version of this library. */
    static int shardOf(String key, int shards) {
        int hash = 0;
        for (byte b : key.getBytes(StandardCharsets.UTF_8)) {
            hash = 31 * hash + b;
        }
        int mixed = hash * 0x9E3779B9; // spreads keys that differ only in their last characters
        return Integer.remainderUnsigned(mixed >>> 8, shards);
    }

    // ---- for the shards of this node

    /** Takes ownership of a shard. */
    LocalEntities<String, Object, R> own(int shard) {
        ActorBuilder<Object> builder =
                cluster.system().actor().strategy(ThreadStrategy.virtual()).label(name);
        ThrowingFunction<String, EntityBehavior<Object, R>> start =
                cluster.fencing().isTakeover() ? this::afterTakeover : this::fenced;
        var entities = LocalEntities.start(builder, start, options);
        owned.put(shard, entities);
        cluster.shardArrived(name, shard);
        return entities;
    }

    /** Gives up ownership of a shard, whose entities have all ended. */
    void left(int shard) {
        owned.remove(shard);
        cluster.shardLeft(name, shard);
    }

    Iterable<LocalEntities<String, Object, R>> owned() {
        return owned.values();
    }

    int shards() {
        return owned.size();
    }

    BitSet ownedShards() {
        var shards = new BitSet();
        owned.keySet().forEach(shards::set);
        return shards;
    }

    private EntityBehavior<Object, R> afterTakeover(String key) throws Exception {
        cluster.fencing().awaitTakeover();
        return fenced(key);
    }

    private EntityBehavior<Object, R> fenced(String key) throws Exception {
        return FencedBehavior.begin(cluster.fencing(), key, begin);
    }

    M decoded(byte[] message) {
        try {
            return Objects.requireNonNull(messages.decode(message), "the decoded message");
        } catch (CodecException e) {
            throw e;
        } catch (Throwable e) { // a codec that fails must not end a thread of Pekko
            throw new CodecException("the codec has failed: " + e, e);
        }
    }

    /** Encodes a reply. A null reply is encoded as an empty array. */
    byte[] encodedReply(R reply) {
        if (reply == null) {
            return NOTHING;
        }
        byte[] bytes = replies.encode(reply);
        if (bytes.length == 0) {
            throw new CodecException("the codec of replies has returned an empty array, which encodes null", null);
        }
        checkSize(bytes);
        return bytes;
    }
}
