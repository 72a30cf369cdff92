package io.fibry.cluster.pekko;

import io.fibry.cluster.pekko.NodeRows.Row;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * The table {@code fibry_node}, as one node sees it. Confined to one thread. Its terms:
 *
 * <ul>
 *   <li>Each node has a row, and increments its <i>beat</i>.
 *   <li>The <i>claim</i> is a row with the identity of the cluster. The members <i>renew</i> it: they increment its
 *       beat.
 *   <li>A row is <i>stale</i> if this node has read it for {@link #STALE} without a change of its beat.
 *   <li>A claim is <i>alive</i> if this node has seen its beat change, and it is not stale.
 * </ul>
 *
 * <p>All times are measured by the clock of this node, while it can read the table. Therefore the clocks of other nodes
 * and of the database do not matter, and an outage makes no row stale. A change of the claim depends on the identity
 * and the beat that were read: of several nodes that change it at once, one succeeds.
 */
final class NodeTable {

    /**
     * The table as this node sees it.
     *
     * @param claim the identity of the cluster; {@code NONE} if there is no claim
     * @param alive whether the claim is alive
     * @param free whether this node may claim the cluster: the claim is stale, or has been absent for some time
     * @param nodes the other nodes
     * @param readAt the time of the view, in {@link System#nanoTime}
     */
    record View(ClusterIdentity claim, boolean alive, boolean free, List<String> nodes, long readAt) {

        View claimedBy(ClusterIdentity made) {
            return new View(made, false, false, nodes, readAt);
        }

        boolean isOlderThan(Duration age) {
            return System.nanoTime() - readAt >= age.toNanos();
        }
    }

    /** What a node does with the claim. */
    enum Role {
        /** Only reads it. */
        OBSERVER,
        /** Renews it if it is that of its own cluster. */
        CLAIMANT,
        /** Also replaces it if it is absent, stale, or that of a younger cluster. */
        MEMBER
    }

    /** Ten beats: longer than a pause of a garbage collection. */
    static final Duration STALE = Duration.ofSeconds(10);

    /** The time for which the claim must be absent. If the table has been emptied, the members restore the claim. */
    static final Duration ABSENT = Duration.ofSeconds(3);

    /** The time between two reads after which the first one does not count. */
    private static final Duration BLIND = Duration.ofSeconds(3);

    /** The age at which the row of a node is deleted. */
    private static final Duration DEAD = Duration.ofMinutes(1);

    /** A row, the time since which its beat has not changed, and whether it has changed before. */
    private record Seen(Row row, long since, boolean changed) {

        boolean isOlderThan(Duration age) {
            return System.nanoTime() - since >= age.toNanos();
        }
    }

    private final NodeRows rows;
    private final String self;
    private final Duration stale;
    private final Duration absent;
    private final Duration blind;
    private Map<String, Seen> seen = new HashMap<>();
    private boolean hasRead;
    private long readAt;
    private long absentSince;

    NodeTable(DataSource dataSource, String cluster, String self) {
        this(dataSource, cluster, self, STALE, ABSENT, BLIND);
    }

    NodeTable(DataSource dataSource, String cluster, String self, Duration stale, Duration absent, Duration blind) {
        rows = new NodeRows(dataSource, cluster);
        this.self = self;
        this.stale = stale;
        this.absent = absent;
        this.blind = blind;
    }

    /**
     * Updates the row of this node, handles the claim according to its role, and reads the table.
     *
     * @param own the cluster of this node, or {@code NONE}
     */
    View beat(ClusterIdentity own, Role role) throws SQLException {
        return rows.call(connection -> {
            rows.beat(connection, own, self);
            boolean renewed = role != Role.OBSERVER && rows.renew(connection, own);
            read(connection);
            if (role == Role.MEMBER && !renewed && mayReplace(own, claim())) {
                rows.claim(connection, own, rowOf(claim()));
                read(connection);
            }
            deleteDead(connection);
            return view();
        });
    }

    private boolean mayReplace(ClusterIdentity own, @Nullable Seen claim) {
        return claim == null || own.isOlderThan(claim.row.identity()) || claim.isOlderThan(stale);
    }

    /** Claims the cluster, if the claim is still as in the latest view. Returns whether it has succeeded. */
    boolean claim(ClusterIdentity made) throws SQLException {
        return rows.call(connection -> rows.claim(connection, made, rowOf(claim())));
    }

    /** Deletes the row of this node. If it was the last one, deletes the claim of its cluster, too. */
    void leave(ClusterIdentity own) throws SQLException {
        this.rows.<@Nullable Void>call(connection -> {
            rows.leave(connection, self, own);
            return null;
        });
    }

    private @Nullable Seen claim() {
        return seen.get(NodeRows.CLAIM);
    }

    private static @Nullable Row rowOf(@Nullable Seen claim) {
        return claim == null ? null : claim.row;
    }

    private View view() {
        Seen claim = claim();
        List<String> nodes = seen.keySet().stream()
                .filter(node -> !node.equals(NodeRows.CLAIM) && !node.equals(self))
                .toList();
        if (claim == null) {
            boolean free = System.nanoTime() - absentSince >= absent.toNanos();
            return new View(ClusterIdentity.NONE, false, free, nodes, readAt);
        }
        boolean isStale = claim.isOlderThan(stale);
        return new View(claim.row.identity(), claim.changed && !isStale, isStale, nodes, readAt);
    }

    private void read(Connection connection) throws SQLException {
        long now = System.nanoTime();
        boolean wasBlind = !hasRead || now - readAt >= blind.toNanos();
        Map<String, Seen> latest = new HashMap<>();
        rows.read(connection).forEach((node, row) -> latest.put(node, see(row, wasBlind ? null : seen.get(node), now)));
        seen = latest;
        hasRead = true;
        readAt = now;
        if (wasBlind || claim() != null) {
            absentSince = now;
        }
    }

    /** @param before the row in the previous read; null if there is none that counts */
    private static Seen see(Row row, @Nullable Seen before, long now) {
        if (before == null || !before.row.identity().equals(row.identity())) {
            return new Seen(row, now, false);
        }
        return before.row.beat() == row.beat() ? before : new Seen(row, now, true);
    }

    private void deleteDead(Connection connection) throws SQLException {
        for (Map.Entry<String, Seen> node : seen.entrySet()) {
            if (!node.getKey().equals(NodeRows.CLAIM) && node.getValue().isOlderThan(DEAD)) {
                rows.deleteDead(connection, node.getKey(), node.getValue().row.beat());
            }
        }
    }
}
