package io.fibry.cluster.pekko;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * The table {@code fibry_node}, as one node uses it. It has a row for each node, and one for the <i>claim</i> of the
 * cluster, with its identity. All members increment the beat of the claim. Confined to one thread.
 *
 * <p>A row is <i>stale</i> if its beat has not changed for {@link #STALE}, by the clock of the observer. Therefore
 * neither the clocks of the nodes nor that of the database matter. Every statement commits by itself, and a change of
 * the claim depends on the identity and the beat that were read. Of several nodes that make or replace a claim at once,
 * only one succeeds.
 */
final class NodeTable {

    /**
     * The table as this node sees it.
     *
     * @param claim the identity of the cluster; {@code NONE} if there is none
     * @param free whether this node may claim the cluster: the claim is stale, or has been absent for some time
     * @param nodes the other nodes that are not stale
     * @param readAt the time of the view, in {@link System#nanoTime}
     */
    record View(ClusterIdentity claim, boolean free, List<String> nodes, long readAt) {

        View claimedBy(ClusterIdentity made) {
            return new View(made, false, nodes, readAt);
        }

        boolean isOlderThan(Duration age) {
            return System.nanoTime() - readAt >= age.toNanos();
        }
    }

    /** What a node does with the claim. */
    enum Role {
        /** Only reads it. */
        OBSERVER,
        /** Renews it if it is that of the cluster of this node. */
        CLAIMANT,
        /** Also takes it back from a younger cluster. */
        MEMBER
    }

    /** Ten beats. A shorter time could be the pause of a garbage collection. */
    static final Duration STALE = Duration.ofSeconds(10);

    /** The time for which the claim must be absent. If the table has been emptied, the members restore the claim. */
    static final Duration ABSENT = Duration.ofSeconds(3);

    /** The age at which the row of a node is deleted. */
    private static final Duration DEAD = Duration.ofMinutes(1);

    private static final int STATEMENT_SECONDS = 5;

    /** Not an address. */
    private static final String CLAIM = "*";

    /** The SQLSTATE of a duplicate key. */
    private static final String DUPLICATE = "23505";

    private static final String CREATE = "CREATE TABLE IF NOT EXISTS fibry_node (cluster VARCHAR(100) NOT NULL,"
            + " node VARCHAR(300) NOT NULL, identity BIGINT NOT NULL, formed_at BIGINT NOT NULL, beat BIGINT NOT NULL,"
            + " PRIMARY KEY (cluster, node))";
    private static final String EXISTS = "SELECT cluster, node, identity, formed_at, beat FROM fibry_node WHERE 1 = 0";
    private static final String INSERT =
            "INSERT INTO fibry_node (identity, formed_at, cluster, node, beat) VALUES (?, ?, ?, ?, 1)";
    private static final String BEAT =
            "UPDATE fibry_node SET beat = beat + 1, identity = ?, formed_at = ? WHERE cluster = ? AND node = ?";
    private static final String REPLACE = BEAT + " AND identity = ? AND beat = ?";
    private static final String RENEW =
            "UPDATE fibry_node SET beat = beat + 1 WHERE cluster = ? AND node = ? AND identity = ?";
    private static final String READ = "SELECT node, identity, formed_at, beat FROM fibry_node WHERE cluster = ?";
    private static final String DELETE_DEAD = "DELETE FROM fibry_node WHERE cluster = ? AND node = ? AND beat = ?";
    private static final String DELETE_NODE = "DELETE FROM fibry_node WHERE cluster = ? AND node = ?";
    private static final String DELETE_LAST_CLAIM =
            DELETE_NODE + " AND identity = ? AND NOT EXISTS (SELECT 1 FROM fibry_node WHERE cluster = ? AND node <> ?)";

    /** A row, and the time at which this node first saw its beat. */
    private record Row(ClusterIdentity identity, long beat, long since) {

        boolean isOlderThan(Duration age) {
            return System.nanoTime() - since >= age.toNanos();
        }
    }

    private interface Work<T extends @Nullable Object> {
        T with(Connection connection) throws SQLException;
    }

    private final DataSource dataSource;
    private final String cluster;
    private final String self;
    private final Duration stale;
    private final Duration absent;
    private boolean created;
    private long absentSince = System.nanoTime();
    private Map<String, Row> rows = new HashMap<>();

    NodeTable(DataSource dataSource, String cluster, String self) {
        this(dataSource, cluster, self, STALE, ABSENT);
    }

    NodeTable(DataSource dataSource, String cluster, String self, Duration stale, Duration absent) {
        this.dataSource = dataSource;
        this.cluster = cluster;
        this.self = self;
        this.stale = stale;
        this.absent = absent;
    }

    /**
     * Updates the row of this node, treats the claim according to its role, and reads the table.
     *
     * @param own the cluster of this node, or {@code NONE}
     */
    View beat(ClusterIdentity own, Role role) throws SQLException {
        return call(connection -> {
            if (!change(connection, BEAT, own, self)) {
                insert(connection, own, self);
            }
            boolean renewed = role != Role.OBSERVER && renew(connection, own);
            long readAt = System.nanoTime();
            read(connection);
            if (role == Role.MEMBER && !renewed) {
                takeBack(connection, own, rows.get(CLAIM));
                read(connection);
            }
            deleteDead(connection);
            return view(readAt);
        });
    }

    private View view(long readAt) {
        Row claim = rows.get(CLAIM);
        return claim == null
                ? new View(ClusterIdentity.NONE, System.nanoTime() - absentSince >= absent.toNanos(), nodes(), readAt)
                : new View(claim.identity, claim.isOlderThan(stale), nodes(), readAt);
    }

    private void takeBack(Connection connection, ClusterIdentity own, @Nullable Row claim) throws SQLException {
        if (claim == null) {
            insert(connection, own, CLAIM);
        } else if (own.isOlderThan(claim.identity)) {
            replace(connection, own, claim);
        }
    }

    /** Claims the cluster, if the claim is still as in the latest view. Returns whether it has succeeded. */
    boolean claim(ClusterIdentity made) throws SQLException {
        Row claim = rows.get(CLAIM);
        return call(connection -> claim == null ? insert(connection, made, CLAIM) : replace(connection, made, claim));
    }

    /** Deletes the row of this node. If it was the last one, deletes the claim of its cluster, too. */
    void leave(ClusterIdentity own) throws SQLException {
        this.<@Nullable Void>call(connection -> {
            try (PreparedStatement statement = prepare(connection, DELETE_NODE)) {
                statement.setString(1, cluster);
                statement.setString(2, self);
                statement.executeUpdate();
            }
            try (PreparedStatement statement = prepare(connection, DELETE_LAST_CLAIM)) {
                statement.setString(1, cluster);
                statement.setString(2, CLAIM);
                statement.setLong(3, own.id());
                statement.setString(4, cluster);
                statement.setString(5, CLAIM);
                statement.executeUpdate();
            }
            return null;
        });
    }

    private List<String> nodes() {
        List<String> nodes = new ArrayList<>();
        rows.forEach((node, row) -> {
            if (!node.equals(CLAIM) && !node.equals(self) && !row.isOlderThan(stale)) {
                nodes.add(node);
            }
        });
        return nodes;
    }

    private void read(Connection connection) throws SQLException {
        Map<String, Row> now = new HashMap<>();
        try (PreparedStatement statement = prepare(connection, READ)) {
            statement.setString(1, cluster);
            try (ResultSet all = statement.executeQuery()) {
                while (all.next()) {
                    String node = all.getString(1);
                    long beat = all.getLong(4);
                    Row before = rows.get(node);
                    long since = before != null && before.beat == beat ? before.since : System.nanoTime();
                    now.put(node, new Row(new ClusterIdentity(all.getLong(2), all.getLong(3)), beat, since));
                }
            }
        }
        rows = now;
        if (rows.containsKey(CLAIM)) {
            absentSince = System.nanoTime();
        }
    }

    private boolean renew(Connection connection, ClusterIdentity own) throws SQLException {
        try (PreparedStatement statement = prepare(connection, RENEW)) {
            statement.setString(1, cluster);
            statement.setString(2, CLAIM);
            statement.setLong(3, own.id());
            return statement.executeUpdate() == 1;
        }
    }

    private boolean replace(Connection connection, ClusterIdentity own, Row claim) throws SQLException {
        try (PreparedStatement statement = prepare(connection, REPLACE)) {
            set(statement, own, CLAIM);
            statement.setLong(5, claim.identity.id());
            statement.setLong(6, claim.beat);
            return statement.executeUpdate() == 1;
        }
    }

    private boolean change(Connection connection, String sql, ClusterIdentity identity, String node)
            throws SQLException {
        try (PreparedStatement statement = prepare(connection, sql)) {
            set(statement, identity, node);
            return statement.executeUpdate() == 1;
        }
    }

    private boolean insert(Connection connection, ClusterIdentity identity, String node) throws SQLException {
        try {
            return change(connection, INSERT, identity, node);
        } catch (SQLException e) {
            if (DUPLICATE.equals(e.getSQLState())) {
                return false; // another node was faster
            }
            throw e;
        }
    }

    private void set(PreparedStatement statement, ClusterIdentity identity, String node) throws SQLException {
        statement.setLong(1, identity.id());
        statement.setLong(2, identity.formedAt());
        statement.setString(3, cluster);
        statement.setString(4, node);
    }

    private void deleteDead(Connection connection) throws SQLException {
        for (Map.Entry<String, Row> row : rows.entrySet()) {
            if (!row.getKey().equals(CLAIM) && row.getValue().isOlderThan(DEAD)) {
                try (PreparedStatement statement = prepare(connection, DELETE_DEAD)) {
                    statement.setString(1, cluster);
                    statement.setString(2, row.getKey());
                    statement.setLong(3, row.getValue().beat);
                    statement.executeUpdate();
                }
            }
        }
    }

    private static PreparedStatement prepare(Connection connection, String sql) throws SQLException {
        PreparedStatement statement = connection.prepareStatement(sql);
        statement.setQueryTimeout(STATEMENT_SECONDS);
        return statement;
    }

    private <T extends @Nullable Object> T call(Work<T> work) throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            boolean automatic = connection.getAutoCommit();
            connection.setAutoCommit(true);
            try {
                if (!created) {
                    create(connection);
                    created = true;
                }
                return work.with(connection);
            } finally {
                connection.setAutoCommit(automatic); // the state in which the pool returned it
            }
        }
    }

    /** Correct even if several nodes create the table at once: one of them may fail despite IF NOT EXISTS. */
    private static void create(Connection connection) throws SQLException {
        if (exists(connection)) { // the right to create tables is then not required
            return;
        }
        try (Statement statement = connection.createStatement()) {
            statement.setQueryTimeout(STATEMENT_SECONDS);
            statement.execute(CREATE);
        } catch (SQLException e) {
            if (!exists(connection)) {
                throw e;
            }
        }
    }

    private static boolean exists(Connection connection) {
        try (PreparedStatement statement = prepare(connection, EXISTS)) {
            statement.executeQuery().close();
            return true;
        } catch (SQLException e) {
            return false; // any other reason also fails the creation, which reports it
        }
    }
}
