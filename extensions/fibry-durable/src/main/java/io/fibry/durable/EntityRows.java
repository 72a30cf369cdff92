package io.fibry.durable;

import io.fibry.durable.DurableStore.Stored;
import io.fibry.durable.DurableStore.StoredEvent;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads and deletes the rows of one entity. The timeouts of statements are in seconds. */
final class EntityRows {

    private static final String LOAD =
            "SELECT version, state, state_version FROM fibry_entity WHERE type = ? AND id = ?";
    private static final String EVENTS = "SELECT version, time, event FROM fibry_event"
            + " WHERE type = ? AND id = ? AND version > ? ORDER BY version FETCH FIRST ? ROWS ONLY";

    private static final String DELETE = "DELETE FROM fibry_event WHERE type = ? AND id = ? AND version <="
            + " (SELECT state_version FROM fibry_entity e WHERE e.type = fibry_event.type AND e.id = fibry_event.id)";

    private EntityRows() {}

    static @Nullable Stored load(Connection connection, String type, String id, int timeout) throws SQLException {
        try (PreparedStatement statement = prepare(connection, LOAD, type, id, timeout);
                ResultSet rows = statement.executeQuery()) {
            return rows.next() ? new Stored(rows.getLong(1), rows.getBytes(2), rows.getLong(3)) : null;
        }
    }

    static List<StoredEvent> events(Connection connection, String type, String id, long after, int limit, int timeout)
            throws SQLException {
        try (PreparedStatement statement = prepare(connection, EVENTS, type, id, timeout)) {
            statement.setLong(3, after);
            statement.setInt(4, limit);
            try (ResultSet rows = statement.executeQuery()) {
                List<StoredEvent> events = new ArrayList<>();
                while (rows.next()) {
                    events.add(new StoredEvent(
                            rows.getLong(1),
                            rows.getObject(2, OffsetDateTime.class).toInstant(),
                            rows.getBytes(3)));
                }
                return events;
            }
        }
    }

    static long deleteEvents(Connection connection, String type, String id, int timeout) throws SQLException {
        try (PreparedStatement statement = prepare(connection, DELETE, type, id, timeout)) {
            return statement.executeUpdate();
        }
    }

    private static PreparedStatement prepare(Connection connection, String sql, String type, String id, int timeout)
            throws SQLException {
        PreparedStatement statement = connection.prepareStatement(sql);
        statement.setQueryTimeout(timeout);
        statement.setString(1, type);
        statement.setString(2, id);
        return statement;
    }

    static void checkNames(String type, String id) {
        checkName("type", type, Schema.TYPE_LENGTH);
        checkName("id", id, Schema.ID_LENGTH);
    }

    /** PostgreSQL does not support the character 0 in texts, and two ids with invalid Unicode could become equal. */
    static void checkName(String what, String name, int max) {
        if (name.isEmpty() || name.length() > max) {
            throw new IllegalArgumentException(what + " must have 1 to " + max + " characters, not " + name.length());
        }
        if (name.indexOf('\0') >= 0 || !StandardCharsets.UTF_8.newEncoder().canEncode(name)) {
            throw new IllegalArgumentException(what + " must have neither the character 0 nor half a surrogate pair");
        }
    }
}
