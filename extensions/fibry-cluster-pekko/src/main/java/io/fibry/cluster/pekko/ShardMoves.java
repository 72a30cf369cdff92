package io.fibry.cluster.pekko;

import io.fibry.cluster.pekko.Packet.Shards;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The moves of shards between all nodes, derived from the announcements of their owners. Each node announces all its
 * shards about once per second, this node to itself as well.
 *
 * <p>The announcements of one node arrive in order, and some may be lost. Announcements of different nodes arrive in
 * any order. A node gains a shard that is new in its announcement, and loses one that is missing, which gives these
 * cases:
 *
 * <ul>
 *   <li>The previous owner loses the shard, and then the next one gains it: the shard is between nodes in the meantime,
 *       and the gain completes the move.
 *   <li>The announcement of the next owner arrives first: the shard has two owners for a moment. The move is complete
 *       at the gain, and the loss of the previous owner means nothing.
 *   <li>The owner that was the last to gain the shard loses it, and an earlier one still owns it: the shard has moved
 *       back, faster than the announcements of the earlier owner show.
 *   <li>A node that is removed loses all its shards. Nodes that are removed at once lose them at once, so that a shard
 *       with two owners does not move from one of them to the other. Announcements that arrive after the removal are
 *       ignored.
 *   <li>A gain without a known previous owner is no move, for instance in the first announcements that a node receives
 *       after its own start.
 *   <li>An owner that loses a shard and gains it again, without another owner in between, has not moved it.
 * </ul>
 *
 * <p>Moves between two announcements are invisible: from A to B to C, a node may see a move from A to C. If an
 * announcement is delayed for longer than a move takes, a shard seems to move to its previous owner and back.
 *
 * <p>The memory is limited by the shards of the members, and by the maximum numbers of shards between nodes and of
 * groups of moves. Thread-safe.
 */
final class ShardMoves {

    /** The maximum number of groups of moves that are remembered. */
    static final int MOST_GROUPS = 20;

    /** The maximum number of shards between nodes. A shard without messages stays there until its next message. */
    static final int MOST_BETWEEN = 20_000;

    /** Moves of a type between the same nodes form a group if each follows the one before within this time. */
    static final long GROUP_NANOS = TimeUnit.SECONDS.toNanos(5);

    /** A node. Each start of a node has a new identity. */
    record Node(long id, String address) {}

    /**
     * Shards of a type that have moved from one node to another, or are between nodes, at about the same time.
     *
     * @param to null for shards between nodes
     * @param first the time of the first loss or move, as of {@link #now}
     * @param last the time of the last one
     */
    record Group(String type, Node from, @Nullable Node to, int shards, long first, long last) {

        private boolean isFollowedBy(Group next) {
            return type.equals(next.type)
                    && from.equals(next.from)
                    && (to == null ? next.to == null : to.equals(next.to))
                    && next.first - last <= GROUP_NANOS;
        }

        private Group followedBy(Group next) {
            return new Group(type, from, to, shards + next.shards, first, next.last);
        }
    }

    private record Shard(String type, int number) {}

    private record Loss(Node by, long at) {}

    private final long self;
    private final LongSupplier nanos;
    private final ReentrantLock lock = new ReentrantLock();
    private Map<Long, Node> members = Map.of();

    /** The last announcement of each member by type. */
    private final Map<Node, Map<String, BitSet>> announced = new HashMap<>();

    /** The members that own a shard, in the order of their gains. No list is empty. */
    private final Map<Shard, List<Node>> owners = new HashMap<>();

    /** The shards without an owner that had one, in the order of their losses. */
    private final LinkedHashMap<Shard, Loss> between = new LinkedHashMap<>();

    /** In the order of the last move of each group. */
    private final Deque<Group> moves = new ArrayDeque<>();

    /**
     * @param self the identity of this node
     * @param nanos the clock, as {@link System#nanoTime}
     */
    ShardMoves(long self, LongSupplier nanos) {
        this.self = self;
        this.nanos = nanos;
    }

    /** Returns whether announcements of this node count. */
    boolean isMember(long node) {
        lock.lock();
        try {
            return members.containsKey(node);
        } finally {
            lock.unlock();
        }
    }

    /** Records the members. A view without this node is ignored: a node that is no member learns nothing of others. */
    void members(Collection<Node> now) {
        Map<Long, Node> byId = new HashMap<>();
        now.forEach(node -> byId.put(node.id(), node));
        lock.lock();
        try {
            if (byId.containsKey(self) && !byId.equals(members)) {
                Set<Node> gone = new HashSet<>(members.values());
                gone.removeAll(byId.values());
                members = byId;
                announced.keySet().removeAll(gone);
                List.copyOf(owners.keySet()).forEach(shard -> lost(shard, gone));
            }
        } finally {
            lock.unlock();
        }
    }

    /** Records the shards of a member. Ignores the shards of other nodes. */
    void announced(Shards of) {
        lock.lock();
        try {
            Node node = members.get(of.node());
            if (node != null) {
                announced(node, of.type(), of.owned());
            }
        } finally {
            lock.unlock();
        }
    }

    private void announced(Node node, String type, BitSet now) {
        Map<String, BitSet> byType = announced.get(node);
        if (byType == null) {
            byType = new HashMap<>();
            announced.put(node, byType);
        }
        BitSet before = byType.put(type, now);
        BitSet changed = (BitSet) now.clone();
        changed.xor(before == null ? new BitSet() : before);
        changed.stream().forEach(number -> {
            var shard = new Shard(type, number);
            if (now.get(number)) {
                gained(shard, node);
            } else {
                lost(shard, Set.of(node));
            }
        });
    }

    private void gained(Shard shard, Node by) {
        Loss loss = between.remove(shard);
        List<Node> all = owners.get(shard);
        if (all == null) {
            all = new ArrayList<>();
            owners.put(shard, all);
        }
        Node from = !all.isEmpty() ? all.getLast() : loss != null ? loss.by() : by;
        all.add(by);
        moved(shard, from, by);
    }

    private void lost(Shard shard, Set<Node> by) {
        List<Node> all = owners.get(shard);
        if (all == null) {
            return;
        }
        Node from = all.getLast();
        all.removeAll(by);
        if (!all.isEmpty()) {
            moved(shard, from, all.getLast());
            return;
        }
        owners.remove(shard);
        between.put(shard, new Loss(from, now()));
        if (between.size() > MOST_BETWEEN) {
            between.pollFirstEntry();
        }
    }

    private void moved(Shard shard, Node from, Node to) {
        if (!from.equals(to)) {
            long now = now();
            add(moves, new Group(shard.type(), from, to, 1, now, now));
            if (moves.size() > MOST_GROUPS) {
                moves.removeFirst();
            }
        }
    }

    /** Adds a move to the group that it follows, which becomes the last one. */
    private static void add(Deque<Group> groups, Group move) {
        Group added = move;
        for (Group group : groups) {
            if (group.isFollowedBy(move)) {
                groups.remove(group);
                added = group.followedBy(move);
                break;
            }
        }
        groups.addLast(added);
    }

    /** Returns the time, in nanoseconds. Compare two times by subtraction only. */
    long now() {
        return nanos.getAsLong();
    }

    /** Returns the shards without an owner that had one, in the order of their losses. */
    List<Group> between() {
        lock.lock();
        try {
            Deque<Group> groups = new ArrayDeque<>();
            between.forEach(
                    (shard, loss) -> add(groups, new Group(shard.type(), loss.by(), null, 1, loss.at(), loss.at())));
            return List.copyOf(groups);
        } finally {
            lock.unlock();
        }
    }

    /** Returns the last moves, the latest first. */
    List<Group> latest() {
        lock.lock();
        try {
            return List.copyOf(moves).reversed();
        } finally {
            lock.unlock();
        }
    }
}
