package io.fibry.cluster.pekko;

import io.fibry.cluster.pekko.Packet.Shards;
import io.fibry.cluster.pekko.Packet.Types;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The types of entities that each node hosts, and the shards that it owns, as announced by {@link TypeActor}. Nodes
 * need not host the same types: a node may register its types late or never, and during a rolling upgrade, some types
 * exist on the new nodes only.
 *
 * <p>Any thread may read it and call {@link #host}. Only the {@code TypeActor} records announcements.
 */
final class TypeDirectory {

    /** The maximum number of types of a node. Their names fit into one frame. */
    static final int MOST_TYPES = 200;

    private final long self;
    private final ShardMoves moves;
    private final Set<String> own = ConcurrentHashMap.newKeySet();
    private final ConcurrentHashMap<Long, Set<String>> others = new ConcurrentHashMap<>();

    /** The shards of the other nodes by node and type. The sets are not modified. */
    private final ConcurrentHashMap<Long, Map<String, BitSet>> shards = new ConcurrentHashMap<>();

    /** The types of all other nodes. */
    private volatile Set<String> ofOthers = Set.of();

    /** @param self the identity of this node; each start of a node gets a new identity */
    TypeDirectory(long self) {
        this.self = self;
        moves = new ShardMoves(self, System::nanoTime);
    }

    /** Records that this node hosts the type. */
    void host(String type) {
        own.add(type);
    }

    /** Records that this node no longer hosts the type. */
    void unhost(String type) {
        own.remove(type);
    }

    /** Returns the announcement of this node. */
    Types announcement() {
        return new Types(self, List.copyOf(new TreeSet<>(own)));
    }

    /** Records the announcement of another node. */
    void announced(Types types) {
        Set<String> hosted = Set.copyOf(types.hosted());
        if (!hosted.equals(others.put(types.node(), hosted))) {
            collect();
        }
    }

    /** Records the shards of another node. */
    void announced(Shards of) {
        Map<String, BitSet> byType = shards.get(of.node());
        if (byType == null) {
            byType = new ConcurrentHashMap<>();
            shards.put(of.node(), byType);
        }
        byType.put(of.type(), of.owned());
    }

    /** Forgets all other nodes except these. */
    void retain(Collection<Long> nodes) {
        shards.keySet().retainAll(nodes);
        if (others.keySet().retainAll(nodes)) {
            collect();
        }
    }

    private void collect() {
        Set<String> all = new HashSet<>();
        others.values().forEach(all::addAll);
        ofOthers = Set.copyOf(all);
    }

    boolean isHostedBy(long node, String type) {
        return node == self
                ? own.contains(type)
                : others.getOrDefault(node, Set.of()).contains(type);
    }

    /** Returns whether another node owned the shard at its last announcement. */
    boolean isOwnedBy(long node, String type, int shard) {
        BitSet owned = shards.getOrDefault(node, Map.of()).get(type);
        return owned != null && owned.get(shard);
    }

    /** Returns the numbers of the shards of another node by type, at its last announcement. */
    SortedMap<String, Integer> shardsOf(long node) {
        SortedMap<String, Integer> numbers = new TreeMap<>();
        others.getOrDefault(node, Set.of()).forEach(type -> numbers.put(type, 0));
        shards.getOrDefault(node, Map.of()).forEach((type, owned) -> numbers.put(type, owned.cardinality()));
        return numbers;
    }

    /** Returns the moves of shards between all nodes. The {@code TypeActor} records them. */
    ShardMoves moves() {
        return moves;
    }

    boolean isHosted(String type) {
        return own.contains(type) || ofOthers.contains(type);
    }

    /** Returns whether the types of all these nodes are known. */
    boolean knows(Collection<Long> nodes) {
        return nodes.stream().allMatch(node -> node == self || others.containsKey(node));
    }
}
