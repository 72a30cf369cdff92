package io.fibry.durable;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The positions of a projection in the database. The row of a slice is locked by the transaction that
 * handles events of the slice, or leased to the node that delivers them. Timeouts of statements are in seconds.
 */
final class ProjectionRows {

    private static final String REGISTER = "INSERT INTO fibry_projection (name, slice, type, position)"
            + " SELECT CAST(? AS VARCHAR(100)), s.slice, CAST(? AS VARCHAR(100)), 0 FROM fibry_slice s"
            + " WHERE NOT EXISTS (SELECT 1 FROM fibry_projection p WHERE p.name = ? AND p.slice = s.slice)";
    private static final String TYPE = "SELECT MIN(type) FROM fibry_projection WHERE name = ?";

    /** Finds the first unread event of a slice in an index, and only if the slice has advanced. */
    static final String UNREAD = "SELECT p.slice, (SELECT e.time FROM fibry_event e WHERE e.type = p.type"
            + " AND e.slice = p.slice AND e.position > p.position"
            + " ORDER BY e.type, e.slice, e.position FETCH FIRST 1 ROWS ONLY),"
            + " CASE WHEN p.owner <> ? AND p.lease >= CURRENT_TIMESTAMP THEN 1 ELSE 0 END"
            + " FROM fibry_projection p JOIN fibry_slice s ON s.slice = p.slice"
            + " WHERE p.name = ? AND p.position < s.position";

    private static final String POSITION = "SELECT position FROM fibry_projection WHERE name = ? AND slice = ?";
    private static final String LOCK = POSITION + " FOR UPDATE SKIP LOCKED";
    private static final String LOCK_UNLESS_LEASED =
            POSITION + " AND (owner IS NULL OR owner = ? OR lease < CURRENT_TIMESTAMP) FOR UPDATE SKIP LOCKED";
    private static final String LOCK_ALL =
            "SELECT position FROM fibry_projection WHERE name = ? ORDER BY slice FOR UPDATE";
    private static final String ADVANCE = "UPDATE fibry_projection SET position = ? WHERE name = ? AND slice = ?";
    private static final String LEASE = "UPDATE fibry_projection SET owner = ?,"
            + " lease = CURRENT_TIMESTAMP + INTERVAL '#' SECOND WHERE name = ? AND slice = ?";
    private static final String RELEASE = "UPDATE fibry_projection SET position = ?, owner = NULL, lease = NULL"
            + " WHERE name = ? AND slice = ? AND owner = ?";
    private static final String RESET =
            "UPDATE fibry_projection SET position = 0, owner = NULL, lease = NULL WHERE name = ?";

    /** The SQLSTATE of a duplicate key. */
    private static final String DUPLICATE = "23505";

    private static final int ATTEMPTS = 5;

    private final String name;
    private final String type;
    private final int timeout;
    private final String owner = UUID.randomUUID().toString();

    ProjectionRows(String name, String type, int timeout) {
        this.name = name;
        this.type = type;
        this.timeout = timeout;
    }

    String type() {
        return type;
    }

    int timeout() {
        return timeout;
    }

    /**
     * A slice with unread events.
     *
     * @param oldest the time of the first one
     * @param isLeased whether another node delivers its events
     */
    record Unread(int slice, Instant oldest, boolean isLeased) {}

    /** Creates the positions that do not exist. Another node may do so at the same time. */
    void register(JdbcStore store) throws SQLException, InterruptedException {
        for (int attempt = 1; ; attempt++) {
            try {
                store.<@Nullable Void>transact(connection -> {
                    register(connection);
                    return null;
                });
                return;
            } catch (SQLException e) {
                if (attempt == ATTEMPTS || !DUPLICATE.equals(e.getSQLState())) {
                    throw e;
                }
            }
        }
    }

    private void register(Connection connection) throws SQLException {
        try (PreparedStatement statement = prepare(connection, REGISTER, name, type, name)) {
            statement.executeUpdate();
        }
        try (PreparedStatement statement = prepare(connection, TYPE, name);
                ResultSet rows = statement.executeQuery()) {
            if (rows.next() && !type.equals(rows.getString(1))) {
                throw new IllegalStateException("the projection " + name + " reads the type " + rows.getString(1)
                        + ": a projection of the type " + type + " needs another name");
            }
        }
    }

    List<Unread> unread(Connection connection) throws SQLException {
        try (PreparedStatement statement = prepare(connection, UNREAD, owner, name);
                ResultSet rows = statement.executeQuery()) {
            List<Unread> unread = new ArrayList<>();
            while (rows.next()) {
                OffsetDateTime oldest = rows.getObject(2, OffsetDateTime.class);
                if (oldest != null) { // otherwise the slice has advanced by other types
                    unread.add(new Unread(rows.getInt(1), oldest.toInstant(), rows.getInt(3) == 1));
                }
            }
            return unread;
        }
    }

    /** Locks a slice until the end of the transaction, and reads its next events. Returns null if it is locked. */
    @Nullable
    EventPage lock(Connection connection, int slice, int limit) throws SQLException {
        try (PreparedStatement statement = prepare(connection, LOCK, name, slice)) {
            return next(connection, statement, slice, limit);
        }
    }

    /** Leases a slice, and reads its next events. Returns null if another node has it. */
    @Nullable
    EventPage lease(Connection connection, int slice, int limit, Duration lease) throws SQLException {
        EventPage page;
        try (PreparedStatement statement = prepare(connection, LOCK_UNLESS_LEASED, name, slice, owner)) {
            page = next(connection, statement, slice, limit);
        }
        if (page != null) {
            String sql = LEASE.replace("#", Long.toString(lease.toSeconds()));
            try (PreparedStatement statement = prepare(connection, sql, owner, name, slice)) {
                statement.executeUpdate();
            }
        }
        return page;
    }

    private @Nullable EventPage next(Connection connection, PreparedStatement position, int slice, int limit)
            throws SQLException {
        try (ResultSet rows = position.executeQuery()) {
            return rows.next() ? EventPage.read(connection, type, slice, rows.getLong(1), limit, timeout) : null;
        }
    }

    void advance(Connection connection, int slice, long position) throws SQLException {
        try (PreparedStatement statement = prepare(connection, ADVANCE, position, name, slice)) {
            statement.executeUpdate();
        }
    }

    /** Ends a lease. Returns false, and stores nothing, if another node has the lease. */
    boolean release(Connection connection, int slice, long position) throws SQLException {
        try (PreparedStatement statement = prepare(connection, RELEASE, position, name, slice, owner)) {
            return statement.executeUpdate() == 1;
        }
    }

    /** Locks all slices until the end of the transaction, after the running batches. */
    void lockAll(Connection connection) throws SQLException {
        try (PreparedStatement statement = prepare(connection, LOCK_ALL, name)) {
            statement.executeQuery().close();
        }
    }

    /** Sets the positions before the first event, and ends the leases: their owners can no longer store a position. */
    void reset(Connection connection) throws SQLException {
        try (PreparedStatement statement = prepare(connection, RESET, name)) {
            statement.executeUpdate();
        }
    }

    private PreparedStatement prepare(Connection connection, String sql, Object... parameters) throws SQLException {
        return prepare(connection, timeout, sql, parameters);
    }

    static PreparedStatement prepare(Connection connection, int timeout, String sql, Object... parameters)
            throws SQLException {
        PreparedStatement statement = connection.prepareStatement(sql);
        statement.setQueryTimeout(timeout);
        for (int i = 0; i < parameters.length; i++) {
            statement.setObject(i + 1, parameters[i]);
        }
        return statement;
    }
}
