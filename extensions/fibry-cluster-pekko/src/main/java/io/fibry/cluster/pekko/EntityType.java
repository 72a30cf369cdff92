package io.fibry.cluster.pekko;

import io.fibry.ActorBuilder;
import io.fibry.ActorRef;
import io.fibry.ActorStoppedException;
import io.fibry.Overflow;
import io.fibry.ThreadStrategy;
import io.fibry.ThrowingFunction;
import io.fibry.cluster.pekko.Packet.ToEntity;
import io.fibry.codec.Codec;
import io.fibry.codec.CodecException;
import io.fibry.entity.Entities;
import io.fibry.entity.EntityBehavior;
import io.fibry.entity.EntityOptions;
import io.fibry.entity.LocalEntities;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.BitSet;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The entities of one type on a node: references to all entities of the type, and the shards that the node owns. */
final class EntityType<M, R extends @Nullable Object> implements Entities<String, M, R> {

    private static final Logger LOG = LoggerFactory.getLogger(EntityType.class);

    private static final byte[] NOTHING = {};

    /** The time in which a coordinator moves a shard, in addition to the drain. */
    private static final Duration SLOWEST_MOVE = Duration.ofSeconds(30);

    private static final Pattern NAME = Pattern.compile("[a-zA-Z0-9][a-zA-Z0-9_.-]{0,99}");

    /** The maximum length of a key; equal to the maximum length of an id in the state store. */
    private static final int LONGEST_KEY = 500;

    private final PekkoCluster cluster;
    private final String name;
    private final CheckedCodec<M> messages;
    private final Codec<R> replies;
    private final ThrowingFunction<String, EntityBehavior<M, R>> begin;
    private final EntityOptions options;
    private final ConcurrentHashMap<Integer, LocalEntities<String, Object, R>> owned = new ConcurrentHashMap<>();

    /** The owned shards that this node is handing over. */
    private final Set<Integer> leaving = ConcurrentHashMap.newKeySet();

    private final CompletableFuture<@Nullable Void> ended = new CompletableFuture<>();
    private volatile boolean closed;

    EntityType(
            PekkoCluster cluster,
            String name,
            Codec<M> messages,
            Codec<R> replies,
            ThrowingFunction<String, EntityBehavior<M, R>> begin,
            EntityOptions options) {
        this.cluster = cluster;
        this.name = checkedName(name);
        this.messages = new CheckedCodec<>(messages, cluster.options().maxMessageBytes());
        this.replies = Objects.requireNonNull(replies, "replies");
        this.begin = Objects.requireNonNull(begin, "begin");
        this.options = forShards(options);
    }

    /** Returns a type of which this node owns no entities. */
    static <M, R extends @Nullable Object> EntityType<M, R> client(
            PekkoCluster cluster, String name, Codec<M> messages, Codec<R> replies) {
        ThrowingFunction<String, EntityBehavior<M, R>> none = key -> {
            throw new AssertionError("a client owns no entities");
        };
        return new EntityType<>(cluster, name, messages, replies, none, EntityOptions.defaults());
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
        if (closed) {
            return;
        }
        cluster.status().checkMajority();
        send(new ToEntity(name, ToEntity.Kind.END, shardOf(key), key, NOTHING, "", 0, 0, 0));
    }

    @Override
    public int size() {
        return owned.values().stream().mapToInt(LocalEntities::size).sum();
    }

    /** Waits for a longer time than the coordinator needs to move all shards, unless this node is disconnected. */
    @Override
    public void close() {
        closed = true;
        cluster.unhost(this);
        endIfEmpty();
        Duration limit = cluster.options().drain().plus(SLOWEST_MOVE);
        try {
            ended.get(TimeUnit.NANOSECONDS.convert(limit), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            LOG.warn("The entities of type {} have not ended within {}; they continue to move", name, limit);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException e) {
            throw new AssertionError("the future does not fail", e);
        }
    }

    /** Called with {@code closed} set, or after each removal of a shard: the later one of the two sees the other. */
    private void endIfEmpty() {
        if (closed && owned.isEmpty()) {
            ended.complete(null);
        }
    }

    /** Returns whether these entities have been closed, and this node owns none of their shards. */
    boolean hasEnded() {
        return closed && owned.isEmpty();
    }

    // ---- for references

    PekkoCluster cluster() {
        return cluster;
    }

    /** Returns whether one more message may be sent. Throws an exception if none may be sent at all. */
    boolean acceptsMessage() {
        if (closed) {
            throw new ActorStoppedException("entities " + name + " have been closed on this node", null);
        }
        return cluster.admission().accepts(name);
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

    /** Requests the start of an entity. The request may be lost. */
    void requestStart(String key) {
        toRegion(new ToEntity(name, ToEntity.Kind.START, shardOf(key), key, NOTHING, "", 0, 0, 0));
    }

    private void send(ToEntity packet) {
        if (!cluster.isHeld(packet)) {
            toRegion(packet);
        }
    }

    private void toRegion(ToEntity packet) {
        Objects.requireNonNull(cluster.regions().of(name))
                .tell(packet, cluster.router().answers());
    }

    String nameOf(String key) {
        return name + "/" + key;
    }

    byte[] encoded(M message) {
        return messages.encoded(message);
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

    /** Returns the name of a type or topic if it is valid. */
    static String checkedName(String type) {
        if (!NAME.matcher(type).matches()) {
            throw new IllegalArgumentException(
                    "a type must have 1 to 100 letters, digits, - _ and ., and begin with a letter or digit, not \""
                            + type + "\"");
        }
        return type;
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

    /** The shard is being handed over: its entities end. */
    void leaves(int shard) {
        leaving.add(shard);
    }

    /** Returns the shards that this node is handing over, with the numbers of the entities that have not ended. */
    SortedMap<Integer, Integer> leaving() {
        SortedMap<Integer, Integer> shards = new TreeMap<>();
        for (int shard : leaving) {
            LocalEntities<?, ?, ?> entities = owned.get(shard);
            if (entities != null) {
                shards.put(shard, entities.size());
            }
        }
        return shards;
    }

    /** Gives up ownership of a shard, whose entities have all ended. */
    void left(int shard) {
        owned.remove(shard);
        leaving.remove(shard);
        endIfEmpty();
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
        return messages.decoded(message);
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
        messages.checkSize(bytes);
        return bytes;
    }
}
