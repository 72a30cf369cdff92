package io.fibry.durable;

import io.fibry.dispatch.Time;
import java.sql.Connection;
import java.sql.SQLException;
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
 * Writes the changes of several entities in one transaction: in PostgreSQL as {@link PostgresChanges}, otherwise with
 * one batch per kind of statement. Confined to one thread.
 */
final class WriteGroup {

    private static final String INSERT =
            "INSERT INTO fibry_entity (type, id, revision, version, state, state_version) VALUES (?, ?, 1, ?, ?, ?)";
    private static final String UPDATE_STATE = "UPDATE fibry_entity SET revision = ?, version = ?, state = ?,"
            + " state_version = ? WHERE type = ? AND id = ? AND revision = ?";
    private static final String UPDATE =
            "UPDATE fibry_entity SET revision = ?, version = ? WHERE type = ? AND id = ? AND revision = ?";
    private static final String APPEND = "INSERT INTO fibry_event (type, slice, position, id, version, time, event)"
            + " VALUES (?, ?, ?, ?, ?, ?, ?)";

    /** The SQLSTATE of a duplicate key. */
    private static final String DUPLICATE = "23505";

    /** Rows of the same kind of change are locked in this order, which avoids most deadlocks. */
    private static final Comparator<Write> ORDER =
            Comparator.comparing(Write::type).thenComparing(Write::id);

    private final Connection connection;
    private final List<Write> writes;
    private final int timeout;
    private final Batches batches;

    /** The changes whose expected revision is not the stored one. */
    private final Set<Write> stale = Collections.newSetFromMap(new IdentityHashMap<>());

    private WriteGroup(Connection connection, List<Write> writes, int timeout) {
        this.connection = connection;
        this.writes = writes.stream().sorted(ORDER).toList();
        this.timeout = timeout;
        batches = new Batches(connection, timeout);
    }

    /**
     * Stores all changes that are not stale, and returns the stale ones.
     *
     * @throws StaleStateException if the only change creates an entity that exists; PostgreSQL returns it
     * @throws SQLException if a statement fails, in H2 also if one of several changes creates an entity that exists
     */
    static Set<Write> run(Connection connection, List<Write> writes, int timeout) throws SQLException {
        return run(connection, writes, timeout, false);
    }

    /**
     * Does the same as {@link #run(Connection, List, int)}, and may commit a single change: the commit needs no further
     * round trip to PostgreSQL. A further commit by the caller has no effect.
     */
    static Set<Write> runAndCommit(Connection connection, List<Write> writes, int timeout) throws SQLException {
        boolean isSingle = writes.size() == 1 && writes.getFirst().outgoing().isEmpty();
        return run(connection, writes, timeout, isSingle);
    }

    private static Set<Write> run(Connection connection, List<Write> writes, int timeout, boolean commits)
            throws SQLException {
        var group = new WriteGroup(connection, writes, timeout);
        group.run(commits);
        return group.stale;
    }

    static StaleStateException stale(Write write) {
        return new StaleStateException(write.type(), write.id(), write.revision());
    }

    private void run(boolean commits) throws SQLException {
        if (PostgresTransaction.isPostgres(connection)) {
            stale.addAll(PostgresChanges.store(connection, writes, timeout, commits));
        } else {
            store();
        }
        MessageRows.write(connection, stored(), timeout);
    }

    private List<Write> stored() {
        return writes.stream().filter(write -> !stale.contains(write)).toList();
    }

    private void store() throws SQLException {
        var touched = new TreeSet<Integer>();
        for (Write write : writes) {
            if (!write.events().isEmpty()) {
                touched.add(Slices.of(write.type(), write.id()));
            }
        }
        Slices slices = Slices.lock(connection, touched, timeout);
        insert();
        update();
        updateState();
        append(stored(), slices);
        slices.save();
    }

    private void insert() throws SQLException {
        List<Write> created = select(write -> write.revision() == 0);
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
        batches.run(INSERT, created, (statement, write) -> {
            statement.setString(1, write.type());
            statement.setString(2, write.id());
            statement.setLong(3, write.newVersion());
            statement.setBytes(4, write.state());
            statement.setLong(5, write.state() == null ? 0 : write.newVersion());
        });
    }

    private void updateState() throws SQLException {
        List<Write> changed = select(write -> write.revision() > 0 && write.state() != null);
        int[] counts = batches.run(UPDATE_STATE, changed, (statement, write) -> {
            statement.setLong(1, write.revision() + 1);
            statement.setLong(2, write.newVersion());
            statement.setBytes(3, write.state());
            statement.setLong(4, write.newVersion());
            statement.setString(5, write.type());
            statement.setString(6, write.id());
            statement.setLong(7, write.revision());
        });
        addStale(changed, counts);
    }

    private void update() throws SQLException {
        List<Write> changed = select(write -> write.revision() > 0 && write.state() == null);
        int[] counts = batches.run(UPDATE, changed, (statement, write) -> {
            statement.setLong(1, write.revision() + 1);
            statement.setLong(2, write.newVersion());
            statement.setString(3, write.type());
            statement.setString(4, write.id());
            statement.setLong(5, write.revision());
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

    private void append(List<Write> stored, Slices slices) throws SQLException {
        OffsetDateTime now = Time.now().atOffset(ZoneOffset.UTC);
        var events = new ArrayList<Event>();
        for (Write write : stored) {
            int slice = Slices.of(write.type(), write.id());
            long version = write.version();
            for (byte[] event : write.events()) {
                events.add(new Event(write, slice, slices.next(slice), ++version, event));
            }
        }
        batches.run(APPEND, events, (statement, event) -> {
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
}
