package io.fibry.cluster.pekko;

import io.fibry.cluster.ClusterStats;
import io.fibry.cluster.Member;
import io.fibry.observer.ObserverTable;
import io.fibry.observer.ObserverTable.Row;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.pekko.cluster.Cluster;

/** The cluster as seen by a node, for the live page. */
final class ClusterTables {

    private static final String NONE = "none";

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
            String name = member.address() + (member.id() == self ? " (this node)" : "");
            SortedMap<String, Integer> owned = shardsOf(member.id());
            int sum = owned.values().stream().mapToInt(Integer::intValue).sum();
            nodes.add(new Row(
                    absent,
                    List.of(name, text(member.state()), Integer.toString(owned.size()), Integer.toString(sum))));
            owned.forEach((type, number) -> shards.add(new Row(absent, List.of(type, name, Integer.toString(number)))));
        }
        shards.sort(
                (one, other) -> one.cells().getFirst().compareTo(other.cells().getFirst())); // stable: then by node
        return List.of(
                new ObserverTable("Nodes", List.of("Node", "State", "Types", "Shards"), nodes),
                new ObserverTable("Shards by type and node", List.of("Type", "Node", "Shards"), shards),
                new ObserverTable(
                        "Shards that this node hands over",
                        List.of("Type", "Shard", "Entities that have not ended"),
                        leaving()),
                new ObserverTable("This node", List.of("Value", "Now"), node()));
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
