package io.fibry.durable;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collections;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Assigns positions to events. Each entity belongs to a slice, and each slice has a row with its last position. A
 * transaction locks the rows of its slices before it assigns positions, and keeps them until it ends. Therefore, the
 * positions of a slice become visible in ascending order: a reader that has seen a position never misses a lower one.
 * The types share the positions of a slice. Rows are locked in ascending order, so transactions do not deadlock.
 */
final class Slices {

    /** The number of slices. It must not change: it is part of the stored data. */
    static final int COUNT = 32;

    private static final String ADVANCE = "UPDATE fibry_slice SET position = ? WHERE slice = ?";

    private final Connection connection;
    private final int timeout;
    private final Map<Integer, Long> positions = new TreeMap<>();

    private Slices(Connection connection, int timeout) {
        this.connection = connection;
        this.timeout = timeout;
    }

    /** Returns the slice of an entity, which is the same in all versions of this library. */
    static int of(String type, String id) {
        return Math.floorMod(31 * type.hashCode() + id.hashCode(), COUNT);
    }

    /** Locks these slices until the end of the transaction. */
    static Slices lock(Connection connection, SortedSet<Integer> slices, int timeout) throws SQLException {
        var locked = new Slices(connection, timeout);
        if (!slices.isEmpty()) {
            locked.lock(slices);
        }
        return locked;
    }

    private void lock(SortedSet<Integer> slices) throws SQLException {
        String parameters = String.join(", ", Collections.nCopies(slices.size(), "?"));
        try (PreparedStatement statement =
                connection.prepareStatement("SELECT slice, position FROM fibry_slice WHERE slice IN (" + parameters
                        + ") ORDER BY slice FOR UPDATE")) {
            statement.setQueryTimeout(timeout);
            int index = 1;
            for (int slice : slices) {
                statement.setInt(index++, slice);
            }
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    positions.put(rows.getInt(1), rows.getLong(2));
                }
            }
        }
        if (positions.size() != slices.size()) {
            throw missing(null);
        }
    }

    /** Returns the exception for a slice without a row. */
    static SQLException missing(@Nullable SQLException cause) {
        return new SQLException(
                "the table fibry_slice must have a row for each of the slices 0 to " + (COUNT - 1)
                        + ". The statements of " + Schema.FILE + " insert them",
                cause);
    }

    /** Returns the next position of a locked slice. */
    long next(int slice) {
        return positions.merge(slice, 1L, Long::sum);
    }

    /** Stores the positions that have been assigned. */
    void save() throws SQLException {
        if (positions.isEmpty()) {
            return;
        }
        try (PreparedStatement statement = connection.prepareStatement(ADVANCE)) {
            statement.setQueryTimeout(timeout);
            for (Map.Entry<Integer, Long> slice : positions.entrySet()) {
                statement.setLong(1, slice.getValue());
                statement.setInt(2, slice.getKey());
                statement.addBatch();
            }
            statement.executeBatch();
        }
    }
}
