package io.fibry.cluster.pekko;

import io.fibry.cluster.ClusterStats;
import io.fibry.cluster.Member;
import io.fibry.observer.ObserverTable;
import io.fibry.observer.ObserverTable.Row;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.pekko.cluster.Cluster;
import org.jspecify.annotations.Nullable;

/** The cluster as seen by a node, for the live page. */
final class ClusterTables {

    private static final String NONE = "none";
    private static final String THIS_NODE = " (this node)";

    private final PekkoCluster cluster;
    private final long self;

    ClusterTables(PekkoCluster cluster) {
        this.cluster = cluster;
        self = Cluster.get(cluster.pekko()).selfUniqueAddress().longUid();
    }

    List<ObserverTable> tables(List<Member> members) {
        List<Row> nodes = new ArrayList<>();
        List<Row> shards = new ArrayList<>();
        for (Member member : members) {
            boolean absent = member.state() == Member.State.UNREACHABLE || member.state() == Member.State.DOWN;
            String name = member.address() + (member.id() == self ? THIS_NODE : "");
            SortedMap<String, Integer> owned = shardsOf(member.id());
            int sum = owned.values().stream().mapToInt(Integer::intValue).sum();
            nodes.add(new Row(
                    absent,
                    List.of(name, text(member.state()), Integer.toString(owned.size()), Integer.toString(sum))));
            owned.forEach((type, number) -> shards.add(new Row(absent, List.of(type, name, Integer.toString(number)))));
        }
        shards.sort(
                (one, other) -> one.cells().getFirst().compareTo(other.cells().getFirst())); // stable: then by node
        List<ObserverTable> tables = new ArrayList<>(List.of(
                new ObserverTable("Nodes", List.of("Node", "State", "Types", "Shards"), nodes),
                new ObserverTable("Shards by type and node", List.of("Type", "Node", "Shards"), shards),
                new ObserverTable(
                        "Shards that this node hands over",
                        List.of("Type", "Shard", "Entities that have not ended"),
                        leaving())));
        tables.addAll(moves(cluster.directory().moves(), self));
        tables.add(new ObserverTable("This node", List.of("Value", "Now"), node()));
        return tables;
    }

    /**
     * Returns the tables of the shards between nodes, and of the last moves. No row is a problem: a shard without
     * messages has no owner until its next message, and a coordinator that allocates no shards has a row of its own.
     */
    static List<ObserverTable> moves(ShardMoves moves, long self) {
        List<ShardMoves.Group> between = moves.between();
        List<ShardMoves.Group> latest = moves.latest();
        long now = moves.now(); // later than all times of the groups
        return List.of(
                new ObserverTable(
                        "Shards between nodes",
                        List.of("Type", "Shards", "Last owner", "For"),
                        between.stream()
                                .map(group -> Row.of(
                                        group.type(),
                                        Integer.toString(group.shards()),
                                        name(group.from(), self),
                                        time(now - group.first())))
                                .toList()),
                new ObserverTable(
                        "Latest moves",
                        List.of("Type", "Shards", "From", "To", "When"),
                        latest.stream()
                                .map(group -> Row.of(
                                        group.type(),
                                        Integer.toString(group.shards()),
                                        from(group, self),
                                        name(group.to(), self),
                                        time(now - group.last()) + " ago"))
                                .toList()));
    }

    private static String name(ShardMoves.@Nullable Node node, long self) {
        return node == null ? NONE : node.address() + (node.id() == self ? THIS_NODE : "");
    }

    /** Returns the name of the previous owner. A node that has been started again has the same address as before. */
    private static String from(ShardMoves.Group move, long self) {
        boolean restarted =
                move.to() != null && move.to().address().equals(move.from().address());
        return restarted ? move.from().address() + " (before its restart)" : name(move.from(), self);
    }

    private static String time(long nanos) {
        Duration time = Duration.ofNanos(nanos);
        if (time.toMinutes() < 2) {
            return time.toSeconds() + " s";
        }
        return time.toHours() < 2 ? time.toMinutes() + " min" : time.toHours() + " h";
    }

    private static String text(Member.State state) {
        return state.name().toLowerCase(Locale.ROOT);
    }

    private SortedMap<String, Integer> shardsOf(long node) {
        if (node != self) {
            return cluster.directory().shardsOf(node);
        }
        SortedMap<String, Integer> own = new TreeMap<>();
        for (EntityType<?, ?> type : cluster.regions().registered()) {
            own.put(type.name(), type.shards());
        }
        return own;
    }

    private List<Row> leaving() {
        List<Row> rows = new ArrayList<>();
        for (EntityType<?, ?> type : cluster.regions().registered()) {
            type.leaving()
                    .forEach((shard, entities) ->
                            rows.add(Row.of(type.name(), Integer.toString(shard), Integer.toString(entities))));
        }
        return rows;
    }

    private List<Row> node() {
        ClusterStats stats = cluster.stats();
        boolean ready = cluster.isReady();
        List<String> stalled = cluster.stalled().stream().sorted().toList();
        return List.of(
                new Row(!ready, List.of("Ready for requests", ready ? "yes" : "no")),
                new Row(
                        !stalled.isEmpty(),
                        List.of(
                                "Types whose shards cannot be allocated",
                                stalled.isEmpty() ? NONE : String.join(", ", stalled))),
                row("Entities in memory", stats.entities()),
                row("Shards handed over", stats.moved()),
                row("Messages sent again", stats.resent()),
                row("Refused messages", stats.refused()),
                row("Lost messages", stats.lost()),
                row("Rejected connections", stats.rejectedConnections()));
    }

    private static Row row(String name, long value) {
        return Row.of(name, Long.toString(value));
    }
}
