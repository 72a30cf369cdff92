package io.fibry.cluster.pekko;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.Map;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * The rows of one cluster in the table {@code fibry_node}, in SQL for H2 and PostgreSQL. Every statement commits by
 * itself. Confined to one thread.
 */
final class NodeRows {

    /** The name of the row that has the claim. Not an address. */
    static final String CLAIM = "*";

    private static final int STATEMENT_SECONDS = 5;

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
    private static final String DELETE_NODE = "DELETE FROM fibry_node WHERE cluster = ? AND node = ?";
    private static final String DELETE_DEAD = DELETE_NODE + " AND beat = ?";
    private static final String DELETE_LAST_CLAIM =
            DELETE_NODE + " AND identity = ? AND NOT EXISTS (SELECT 1 FROM fibry_node WHERE cluster = ? AND node <> ?)";

    /** The values of a row. */
    record Row(ClusterIdentity identity, long beat) {}

    /** Statements on one connection. */
    interface Work<T extends @Nullable Object> {
        T with(Connection connection) throws SQLException;
    }

    private final DataSource dataSource;
    private final String cluster;
    private boolean created;

    NodeRows(DataSource dataSource, String cluster) {
        this.dataSource = dataSource;
        this.cluster = cluster;
    }

    /** Runs the work with a connection, which then has its previous settings. Creates the table at first. */
    <T extends @Nullable Object> T call(Work<T> work) throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            boolean automatic = connection.getAutoCommit();
            int timeout = timeout(connection);
            connection.setAutoCommit(true);
            T result;
            try {
                if (!created) {
                    create(connection);
                    created = true;
                }
                result = work.with(connection);
            } catch (SQLException e) {
                restore(connection, automatic, timeout, e);
                throw e;
            }
            restore(connection, automatic, timeout);
            return result;
        }
    }

    private static int timeout(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            return statement.getQueryTimeout();
        }
    }

    /** H2 applies the timeout of a statement to the connection. */
    private static void restore(Connection connection, boolean automatic, int timeout) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.setQueryTimeout(timeout);
        }
        connection.setAutoCommit(automatic);
    }

    private static void restore(Connection connection, boolean automatic, int timeout, SQLException failure) {
        try {
            restore(connection, automatic, timeout);
        } catch (SQLException e) {
            failure.addSuppressed(e);
        }
    }

    /** Updates or inserts the row of a node. */
    void beat(Connection connection, ClusterIdentity own, String node) throws SQLException {
        if (!change(connection, BEAT, own, node)) {
            insert(connection, own, node);
        }
    }

    /** Increments the beat of the claim if it is that of this cluster, and returns whether it is. */
    boolean renew(Connection connection, ClusterIdentity own) throws SQLException {
        try (PreparedStatement statement = prepare(connection, RENEW)) {
            statement.setString(1, cluster);
            statement.setString(2, CLAIM);
            statement.setLong(3, own.id());
            return statement.executeUpdate() == 1;
        }
    }

    /** Inserts the claim, or replaces the one that was read. Returns false if another node was faster. */
    boolean claim(Connection connection, ClusterIdentity own, @Nullable Row read) throws SQLException {
        if (read == null) {
            return insert(connection, own, CLAIM);
        }
        try (PreparedStatement statement = prepare(connection, REPLACE)) {
            set(statement, own, CLAIM);
            statement.setLong(5, read.identity.id());
            statement.setLong(6, read.beat);
            return statement.executeUpdate() == 1;
        }
    }

    Map<String, Row> read(Connection connection) throws SQLException {
        Map<String, Row> rows = new HashMap<>();
        try (PreparedStatement statement = prepare(connection, READ)) {
            statement.setString(1, cluster);
            try (ResultSet all = statement.executeQuery()) {
                while (all.next()) {
                    var identity = new ClusterIdentity(all.getLong(2), all.getLong(3));
                    rows.put(all.getString(1), new Row(identity, all.getLong(4)));
                }
            }
        }
        return rows;
    }

    /** Deletes the row of a node if its beat has not changed. */
    void deleteDead(Connection connection, String node, long beat) throws SQLException {
        try (PreparedStatement statement = prepare(connection, DELETE_DEAD)) {
            statement.setString(1, cluster);
            statement.setString(2, node);
            statement.setLong(3, beat);
            statement.executeUpdate();
        }
    }

    /** Deletes the row of a node. If it was the last one, deletes the claim of its cluster, too. */
    void leave(Connection connection, String node, ClusterIdentity own) throws SQLException {
        try (PreparedStatement statement = prepare(connection, DELETE_NODE)) {
            statement.setString(1, cluster);
            statement.setString(2, node);
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

    private static PreparedStatement prepare(Connection connection, String sql) throws SQLException {
        PreparedStatement statement = connection.prepareStatement(sql);
        statement.setQueryTimeout(STATEMENT_SECONDS);
        return statement;
    }

    /** Correct even if several nodes create the table at once: one of them may fail despite IF NOT EXISTS. */
    private static void create(Connection connection) throws SQLException {
        if (exists(connection)) { // the right to create tables is then not required
            return;
        }
        try (PreparedStatement statement = prepare(connection, CREATE)) {
            statement.execute();
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
