package io.fibry.durable;

import io.fibry.durable.DurableStore.Stored;
import io.fibry.durable.DurableStore.StoredEvent;
import io.fibry.durable.DurableStore.StoredHistory;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads and deletes the rows of one entity. The timeouts of statements are in seconds. */
final class EntityRows {

    private static final String LOAD =
            "SELECT revision, version, state, state_version FROM fibry_entity WHERE type = ? AND id = ?";

    /**
     * The order names the columns of the index from its first one, also those that are constant here: otherwise H2
     * sorts all rows for each page.
     */
    private static final String ORDER = " ORDER BY type, id, version";

    /** Events of up to this size are read at once: a page of them has at most {@link DurableStore#PAGE_BYTES}. */
    private static final int SMALL = DurableStore.PAGE_BYTES / DurableStore.PAGE_EVENTS;

    /** The sizes of the other events are read first, because the driver holds all rows of a result in memory. */
    static final String EVENTS = "SELECT version, time, CASE WHEN OCTET_LENGTH(event) <= " + SMALL
            + " THEN event END, CASE WHEN OCTET_LENGTH(event) > " + SMALL + " THEN OCTET_LENGTH(event) END"
            + " FROM fibry_event"
            + " WHERE type = ? AND id = ? AND version > ?" + ORDER + " FETCH FIRST ? ROWS ONLY";

    private static final String LARGE = "SELECT version, time, event FROM fibry_event"
            + " WHERE type = ? AND id = ? AND version >= ? AND version <= ?" + ORDER;

    private static final String FIRST =
            "SELECT version FROM fibry_event WHERE type = ? AND id = ?" + ORDER + " FETCH FIRST 1 ROW ONLY";

    private static final String DELETE =
            "DELETE FROM fibry_event WHERE type = ? AND id = ? AND version >= ? AND version <= ?";

    private EntityRows() {}

    static @Nullable Stored load(Connection connection, String type, String id, int timeout) throws SQLException {
        try (PreparedStatement statement = prepare(connection, LOAD, type, id, timeout);
                ResultSet rows = statement.executeQuery()) {
            return rows.next() ? new Stored(rows.getLong(1), rows.getLong(2), rows.getBytes(3), rows.getLong(4)) : null;
        }
    }

    /** Looks for events of an entity without a row, too: the row may have been lost, and the state is then restored. */
    static StoredHistory recover(Connection connection, String type, String id, int limit, int timeout)
            throws SQLException {
        Stored entity = load(connection, type, id, timeout);
        if (entity == null) {
            return new StoredHistory(DurableStore.NOT_STORED, events(connection, type, id, 0, limit, timeout));
        }
        List<StoredEvent> events = entity.version() == entity.stateVersion()
                ? List.of()
                : events(connection, type, id, entity.stateVersion(), limit, timeout);
        return new StoredHistory(entity, events);
    }

    /** Ends with the event with which the page reaches {@link DurableStore#PAGE_BYTES}. */
    static List<StoredEvent> events(Connection connection, String type, String id, long after, int limit, int timeout)
            throws SQLException {
        List<StoredEvent> events = new ArrayList<>(); // at first the events before a large one
        long bytes = 0;
        long firstLarge = 0;
        long last = 0;
        try (PreparedStatement statement = prepare(connection, EVENTS, type, id, timeout)) {
            statement.setLong(3, after);
            statement.setInt(4, limit);
            try (ResultSet rows = statement.executeQuery()) {
                while (bytes < DurableStore.PAGE_BYTES && rows.next()) {
                    last = rows.getLong(1);
                    byte[] event = rows.getBytes(3);
                    bytes += event == null ? rows.getLong(4) : event.length;
                    if (event == null && firstLarge == 0) {
                        firstLarge = last;
                    }
                    if (event != null && firstLarge == 0) {
                        events.add(new StoredEvent(last, time(rows), event));
                    }
                }
            }
        }
        if (firstLarge > 0) {
            events.addAll(between(connection, type, id, firstLarge, last, timeout));
        }
        return events;
    }

    private static List<StoredEvent> between(
            Connection connection, String type, String id, long first, long last, int timeout) throws SQLException {
        List<StoredEvent> events = new ArrayList<>();
        try (PreparedStatement statement = prepare(connection, LARGE, type, id, timeout)) {
            statement.setLong(3, first);
            statement.setLong(4, last);
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    events.add(new StoredEvent(rows.getLong(1), time(rows), rows.getBytes(3)));
                }
            }
        }
        if (events.isEmpty() || events.getFirst().version() != first) { // a small page would be the last one
            throw new SQLException("the events " + first + " to " + last + " of " + type + "/" + id
                    + " have been deleted while they were read");
        }
        return events;
    }

    private static Instant time(ResultSet rows) throws SQLException {
        return rows.getObject(2, OffsetDateTime.class).toInstant();
    }

    /** A range of versions, both ends included; empty if the last one is less than the first one. */
    record Versions(long first, long last) {}

    /** Returns the versions of the events up to the last stored state. */
    static Versions beforeState(Connection connection, String type, String id, int timeout) throws SQLException {
        Stored entity = load(connection, type, id, timeout);
        long last = entity == null ? 0 : entity.stateVersion();
        try (PreparedStatement statement = prepare(connection, FIRST, type, id, timeout);
                ResultSet rows = statement.executeQuery()) {
            return new Versions(rows.next() ? rows.getLong(1) : last + 1, last);
        }
    }

    static int deleteEvents(Connection connection, String type, String id, Versions versions, int timeout)
            throws SQLException {
        try (PreparedStatement statement = prepare(connection, DELETE, type, id, timeout)) {
            statement.setLong(3, versions.first);
            statement.setLong(4, versions.last);
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
}
