package io.fibry.cluster.pekko;

import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;
import javax.sql.DataSource;
import org.apache.pekko.actor.Address;
import org.jspecify.annotations.Nullable;

/**
 * Forms a cluster by a claim in the {@link NodeTable}. A single node suffices.
 *
 * <p>The thread that updates the table makes the claim when the {@link SeedActor} has asked for it. The actor reads the
 * latest view of the table, and never waits for the database.
 */
final class TableFormation implements Formation {

    /** The time for which a request of the actor is valid. */
    private static final Duration WANTED = Duration.ofSeconds(2);

    /** The maximum age of a view on which a decision is based: the process may have been suspended since then. */
    private static final Duration RECENT = Duration.ofSeconds(3);

    /** The time that the deletion of the rows of this node may take. */
    private static final Duration CLOSE = Duration.ofSeconds(2);

    private final NodeTable table;
    private final String cluster;
    private final BooleanSupplier confirmed;
    private final Polling polling;

    // Written by the thread of the polling.
    private volatile NodeTable.@Nullable View view;
    private volatile ClusterIdentity claimed = ClusterIdentity.NONE;
    private volatile boolean suspended;
    private volatile boolean replaced;

    // Written by the actor.
    private volatile ClusterIdentity own = ClusterIdentity.NONE;
    private volatile long ownSince;
    private volatile boolean sole;
    private volatile boolean established;
    private volatile long wantedAt = System.nanoTime() - WANTED.toNanos();

    /** @param confirmed returns whether a majority has recently confirmed that this node is a member */
    TableFormation(Address self, DataSource dataSource, BooleanSupplier confirmed) {
        this.confirmed = confirmed;
        cluster = self.system();
        table = new NodeTable(dataSource, cluster, Formation.text(self));
        polling = Polling.start("The table of nodes", this::poll, this::leave);
    }

    private void poll() throws SQLException {
        ClusterIdentity member = own;
        view = member.equals(ClusterIdentity.NONE) ? pollBefore() : pollAsMember(member);
    }

    /**
     * Updates the table as a member. A sole member is its own majority: while its process was suspended, another
     * cluster may have replaced its own. After a pause, it only observes, until it knows whether the claim of another
     * cluster is alive.
     */
    private NodeTable.View pollAsMember(ClusterIdentity member) throws SQLException {
        NodeTable.View before = view;
        if (sole && (before == null || before.isOlderThan(NodeTable.STALE))) {
            suspended = true;
        }
        NodeTable.View now = table.beat(member, suspended ? NodeTable.Role.OBSERVER : role(member));
        if (suspended) {
            boolean isOwn = now.claim().equals(member);
            replaced = replaced || (!isOwn && now.alive());
            suspended = !isOwn && !now.free();
        }
        return now;
    }

    /** A node that has just formed the cluster renews the claim before a majority can confirm its membership. */
    private NodeTable.Role role(ClusterIdentity member) {
        if (established && confirmed.getAsBoolean()) {
            claimed = ClusterIdentity.NONE;
            return NodeTable.Role.MEMBER;
        }
        return member.equals(claimed) ? NodeTable.Role.CLAIMANT : NodeTable.Role.OBSERVER;
    }

    /** Updates the table before this node is a member. */
    private NodeTable.View pollBefore() throws SQLException {
        NodeTable.View now = table.beat(claimed, NodeTable.Role.CLAIMANT);
        if (!now.claim().equals(claimed)) {
            claimed = ClusterIdentity.NONE;
        }
        if (now.free() && System.nanoTime() - wantedAt < WANTED.toNanos()) {
            ClusterIdentity made = ClusterIdentity.make();
            if (table.claim(made)) {
                claimed = made;
                return now.claimedBy(made);
            }
        }
        return now;
    }

    private void leave() throws SQLException {
        ClusterIdentity member = own;
        table.leave(member.equals(ClusterIdentity.NONE) ? claimed : member);
    }

    /** Returns whether the claim was that of this cluster recently. */
    private boolean isClaimed(ClusterIdentity identity) {
        NodeTable.View latest = view;
        return latest != null && latest.claim().equals(identity) && !latest.isOlderThan(RECENT);
    }

    @Override
    public Collection<Address> contacts() {
        NodeTable.View latest = view;
        return latest == null
                ? List.of()
                : latest.nodes().stream()
                        .map(node -> Formation.address(cluster, node))
                        .toList();
    }

    @Override
    public boolean isJoinable(ClusterIdentity other, boolean established) {
        return established || isClaimed(other);
    }

    @Override
    public @Nullable ClusterIdentity form(Set<Address> present) {
        wantedAt = System.nanoTime();
        ClusterIdentity made = claimed;
        return !made.equals(ClusterIdentity.NONE) && isClaimed(made) ? made : null;
    }

    @Override
    public boolean isEstablished(ClusterIdentity identity, Set<Address> members) {
        if (!own.equals(identity)) {
            ownSince = System.nanoTime();
            own = identity;
        }
        sole = members.size() == 1;
        established = established || isClaimed(identity);
        return established;
    }

    @Override
    public boolean mayReport() {
        NodeTable.View latest = view;
        return !sole || (latest != null && !latest.isOlderThan(RECENT) && !suspended && !replaced);
    }

    /** Ignores views from before this node was a member: its cluster may have replaced an older claim since then. */
    @Override
    public boolean isSuperseded() {
        NodeTable.View latest = view;
        ClusterIdentity mine = own;
        return replaced
                || (latest != null
                        && latest.readAt() - ownSince > 0
                        && latest.alive()
                        && latest.claim().isOlderThan(mine));
    }

    @Override
    public String conditions() {
        Throwable problem = polling.problem();
        if (problem != null) {
            return "The table of nodes cannot be used: " + problem;
        }
        NodeTable.View latest = view;
        if (latest == null) {
            return "The database has not answered.";
        }
        return "The other nodes in the table are "
                + latest.nodes().stream().sorted().toList() + ". "
                + (latest.claim().equals(ClusterIdentity.NONE)
                        ? "No cluster has been formed."
                        : "They have formed a cluster; at least one of its members must be reachable, with the same"
                                + " name and certificates.");
    }

    @Override
    public void close() {
        polling.end();
        try {
            polling.awaitEnd(CLOSE.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
