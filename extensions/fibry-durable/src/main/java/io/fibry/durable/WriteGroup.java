package io.fibry.durable;

import io.fibry.durable.DurableStore.Write;
import java.sql.BatchUpdateException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * Writes the changes of several entities in one transaction, with one batch per kind of statement. The caller commits.
 * Confined to one thread.
 */
final class WriteGroup {

    private static final String INSERT =
            "INSERT INTO fibry_entity (type, id, version, state, state_version) VALUES (?, ?, ?, ?, ?)";
    private static final String UPDATE_STATE = "UPDATE fibry_entity SET version = ?, state = ?, state_version = ?"
            + " WHERE type = ? AND id = ? AND version = ?";
    private static final String UPDATE =
            "UPDATE fibry_entity SET version = ? WHERE type = ? AND id = ? AND version = ?";
    private static final String APPEND = "INSERT INTO fibry_event (type, slice, position, id, version, time, event)"
            + " VALUES (?, ?, ?, ?, ?, ?, ?)";

    private static final String LIMIT_IDLE_TIME = "SET LOCAL idle_in_transaction_session_timeout = '5s'";

    /** The SQLSTATE of a duplicate key. */
    private static final String DUPLICATE = "23505";

    /** Rows of the same kind of change are locked in this order, which avoids most deadlocks. */
    private static final Comparator<Write> ORDER =
            Comparator.comparing(Write::type).thenComparing(Write::id);

    private final Connection connection;
    private final List<Write> writes;
    private final int timeout;

    /** The changes whose expected version is not the stored one. */
    private final Set<Write> stale = Collections.newSetFromMap(new IdentityHashMap<>());

    private WriteGroup(Connection connection, List<Write> writes, int timeout) {
        this.connection = connection;
        this.writes = writes.stream().sorted(ORDER).toList();
        this.timeout = timeout;
    }

    /**
     * Stores all changes that are not stale, and returns the stale ones.
     *
     * @throws StaleStateException if the only change creates an entity that exists
     * @throws SQLException if a statement fails, also if one of several changes creates an entity that exists
     */
    static Set<Write> run(Connection connection, List<Write> writes, int timeout) throws SQLException {
        var group = new WriteGroup(connection, writes, timeout);
        group.run();
        return group.stale;
    }

    static StaleStateException stale(Write write) {
        return new StaleStateException(write.type(), write.id(), write.expected());
    }

    private void run() throws SQLException {
        var touched = new TreeSet<Integer>();
        for (Write write : writes) {
            if (!write.events().isEmpty()) {
                touched.add(Slices.of(write.type(), write.id()));
            }
        }
        limitIdleTime();
        Slices slices = Slices.lock(connection, touched, timeout);
        insert();
        update();
        updateState();
        append(slices);
        slices.save();
    }

    /**
     * A process that is suspended or unreachable must not keep its locks. The other processes would wait until its end,
     * because PostgreSQL does not end its transaction otherwise.
     */
    private void limitIdleTime() throws SQLException {
        if (connection.getMetaData().getDatabaseProductName().equals("PostgreSQL")) {
            try (Statement statement = connection.createStatement()) {
                statement.execute(LIMIT_IDLE_TIME);
            }
        }
    }

    private void insert() throws SQLException {
        List<Write> created = select(write -> write.expected() == 0);
        try {
            insert(created);
        } catch (SQLException e) {
            if (writes.size() == 1 && DUPLICATE.equals(e.getSQLState())) {
                throw stale(created.getFirst());
            }
            throw e;
        }
    }

    private void insert(List<Write> created) throws SQLException {
        batch(INSERT, created, (statement, write) -> {
            statement.setString(1, write.type());
            statement.setString(2, write.id());
            statement.setLong(3, write.version());
            statement.setBytes(4, write.state());
            statement.setLong(5, write.state() == null ? 0 : write.version());
        });
    }

    private void updateState() throws SQLException {
        List<Write> changed = select(write -> write.expected() > 0 && write.state() != null);
        int[] counts = batch(UPDATE_STATE, changed, (statement, write) -> {
            statement.setLong(1, write.version());
            statement.setBytes(2, write.state());
            statement.setLong(3, write.version());
            statement.setString(4, write.type());
            statement.setString(5, write.id());
            statement.setLong(6, write.expected());
        });
        addStale(changed, counts);
    }

    private void update() throws SQLException {
        List<Write> changed = select(write -> write.expected() > 0 && write.state() == null);
        int[] counts = batch(UPDATE, changed, (statement, write) -> {
            statement.setLong(1, write.version());
            statement.setString(2, write.type());
            statement.setString(3, write.id());
            statement.setLong(4, write.expected());
        });
        addStale(changed, counts);
    }

    private void addStale(List<Write> changed, int[] counts) throws SQLException {
        for (int i = 0; i < counts.length; i++) {
            if (counts[i] == 0) {
                stale.add(changed.get(i));
            } else if (counts[i] != 1) {
                throw new SQLException("the driver does not return the number of updated rows, but " + counts[i]);
            }
        }
    }

    private void append(Slices slices) throws SQLException {
        OffsetDateTime now = Instant.now().atOffset(ZoneOffset.UTC);
        var events = new ArrayList<Event>();
        for (Write write : select(write -> !stale.contains(write))) {
            int slice = Slices.of(write.type(), write.id());
            long version = write.expected();
            for (byte[] event : write.events()) {
                events.add(new Event(write, slice, slices.next(slice), ++version, event));
            }
        }
        batch(APPEND, events, (statement, event) -> {
            statement.setString(1, event.write.type());
            statement.setInt(2, event.slice);
            statement.setLong(3, event.position);
            statement.setString(4, event.write.id());
            statement.setLong(5, event.version);
            statement.setObject(6, now);
            statement.setBytes(7, event.bytes);
        });
    }

    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Event(Write write, int slice, long position, long version, byte[] bytes) {}

    private List<Write> select(Predicate<Write> condition) {
        return writes.stream().filter(condition).toList();
    }

    private interface Parameters<T> {
        void set(PreparedStatement statement, T row) throws SQLException;
    }

    private <T> int[] batch(String sql, List<T> rows, Parameters<T> parameters) throws SQLException {
        if (rows.isEmpty()) {
            return new int[0];
        }
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setQueryTimeout(timeout);
            for (T row : rows) {
                parameters.set(statement, row);
                statement.addBatch();
            }
            return statement.executeBatch();
        } catch (BatchUpdateException e) { // its message has the parameters; the next one has the reason
            throw e.getNextException() == null ? e : e.getNextException();
        }
    }
}
