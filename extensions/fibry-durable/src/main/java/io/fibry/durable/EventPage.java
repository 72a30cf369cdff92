package io.fibry.durable;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;

/**
 * The next events of a type in a slice.
 *
 * @param after the position before them
 * @param end the position after all of them
 * @param isLast whether the slice has no further events
 */
record EventPage(long after, List<Row> rows, long end, boolean isLast) {

    private static final String LAST = "SELECT position FROM fibry_slice WHERE slice = ?";
    /**
     * The order names the columns of the index from its first one, also those that are constant here: otherwise H2
     * sorts all rows for each page.
     */
    static final String EVENTS = "SELECT position, id, version, time, event FROM fibry_event WHERE type = ?"
            + " AND slice = ? AND position > ? AND position <= ?"
            + " ORDER BY type, slice, position FETCH FIRST ? ROWS ONLY";

    /** A page ends after the event with which it reaches this number of bytes. */
    private static final long MAX_BYTES = 4 << 20;

    /** The rows that the driver reads at a time: large events must not fill the heap. */
    private static final int FETCH_SIZE = 50;

    /** An event as stored. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Row(long position, String key, long version, Instant time, byte[] event) {}

    /**
     * Reads the last position of the slice first. All events up to it are visible to the next statement, because the
     * positions of a slice become visible in ascending order: if none of this type is left, none will appear.
     */
    static EventPage read(Connection connection, String type, int slice, long after, int limit, int timeout)
            throws SQLException {
        long last = last(connection, slice, timeout);
        List<Row> events = new ArrayList<>();
        long bytes = 0;
        boolean isLast = true;
        try (PreparedStatement statement =
                ProjectionRows.prepare(connection, timeout, EVENTS, type, slice, after, last, limit)) {
            statement.setFetchSize(FETCH_SIZE);
            try (ResultSet rows = statement.executeQuery()) {
                while (isLast && rows.next()) {
                    var row = new Row(
                            rows.getLong(1),
                            rows.getString(2),
                            rows.getLong(3),
                            rows.getObject(4, OffsetDateTime.class).toInstant(),
                            rows.getBytes(5));
                    events.add(row);
                    bytes += row.event().length;
                    isLast = events.size() < limit && bytes < MAX_BYTES;
                }
            }
        }
        long end = isLast ? Math.max(after, last) : events.getLast().position();
        return new EventPage(after, events, end, isLast);
    }

    private static long last(Connection connection, int slice, int timeout) throws SQLException {
        try (PreparedStatement statement = ProjectionRows.prepare(connection, timeout, LAST, slice);
                ResultSet rows = statement.executeQuery()) {
            return rows.next() ? rows.getLong(1) : 0;
        }
    }

    /** Returns the position after this number of events. */
    long position(int events) {
        if (events == rows.size()) {
            return end;
        }
        return events == 0 ? after : rows.get(events - 1).position();
    }

    boolean hasMore(int events) {
        return events < rows.size() || !isLast;
    }
}
