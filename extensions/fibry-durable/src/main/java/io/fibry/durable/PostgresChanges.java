package io.fibry.durable;

import io.fibry.dispatch.Time;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * Stores the changes of a group in PostgreSQL, in two round trips whatever their number: the parameters are arrays.
 *
 * <ol>
 *   <li>The transaction begins. New entities are inserted with revision 0. The slices of the events are locked in
 *       ascending order, and their positions advance; {@link Slices} has the reason. Entities with the expected
 *       revision are updated; the other changes are stale, and leave gaps in the positions.
 *   <li>The events of the changes that are not stale are inserted.
 * </ol>
 *
 * <p><b>Locks.</b> Each transaction locks new entities, then slices, then existing entities, each in ascending order,
 * because a statement finds its rows one by one, in the order of the arrays. Transactions therefore do not deadlock. If
 * a future planner changes the order, PostgreSQL ends one of them, and its changes are repeated.
 *
 * <p><b>Plans.</b> The settings of the transaction exclude plans other than nested loops over an index: the planner
 * does not know the length of an array, and scans small tables, which grow by the dead rows of frequent updates.
 * Generic plans save the planning of each transaction, which costs more than the execution.
 */
final class PostgresChanges {

    private static final String PLANS = """
        SET LOCAL plan_cache_mode = force_generic_plan; SET LOCAL enable_seqscan = off;
        SET LOCAL enable_hashjoin = off; SET LOCAL enable_mergejoin = off;
        """;

    private static final String CREATE = """
        INSERT INTO fibry_entity (type, id, revision, version, state, state_version)
        SELECT type, id, 0, 0, NULL, 0 FROM unnest(?::text[], ?::text[]) AS c (type, id)
        ON CONFLICT DO NOTHING;
        """;

    private static final String ADVANCE = """
        UPDATE fibry_slice s SET position = s.position + c.events
        FROM unnest(?::integer[], ?::bigint[]) AS c (slice, events)
        WHERE s.slice = c.slice
        RETURNING s.slice, s.position - c.events;
        """;

    /** A change without a state keeps the former one. */
    private static final String UPDATE = """
        UPDATE fibry_entity e SET revision = e.revision + 1, version = c.version,
            state = COALESCE(c.state, e.state), state_version = COALESCE(c.state_version, e.state_version)
        FROM unnest(?::integer[], ?::text[], ?::text[], ?::bigint[], ?::bigint[], ?::bytea[], ?::bigint[])
            AS c (change, type, id, revision, version, state, state_version)
        WHERE e.type = c.type AND e.id = c.id AND e.revision = c.revision
        RETURNING c.change\
        """;

    private static final String APPEND = """
        INSERT INTO fibry_event (type, slice, position, id, version, time, event)
        SELECT type, slice, position, id, version, ?, event
        FROM unnest(?::text[], ?::integer[], ?::bigint[], ?::text[], ?::bigint[], ?::bytea[])
            AS e (type, slice, position, id, version, event)\
        """;

    private final Connection connection;
    private final List<Write> writes;

    /** The number of events in each slice. */
    private final NavigableMap<Integer, Long> slices = new TreeMap<>();

    /** An event of a change that is not stale. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Event(Write write, int slice, long position, long version, byte[] bytes) {}

    private PostgresChanges(Connection connection, List<Write> writes) {
        this.connection = connection;
        this.writes = writes;
        for (Write write : writes) {
            if (!write.events().isEmpty()) {
                slices.merge(slice(write), (long) write.events().size(), Long::sum);
            }
        }
    }

    private static int slice(Write write) {
        return Slices.of(write.type(), write.id());
    }

    /**
     * Begins a transaction, and stores all changes that are not stale. Returns the stale ones. The changes are in the
     * order of their entities. The timeout of a statement is in seconds.
     */
    static List<Write> store(Connection connection, List<Write> writes, int timeout) throws SQLException {
        return new PostgresChanges(connection, writes).store(timeout);
    }

    private List<Write> store(int timeout) throws SQLException {
        var positions = new HashMap<Integer, Long>();
        BitSet changed = change(positions, timeout);
        var stored = new ArrayList<Write>();
        var stale = new ArrayList<Write>();
        for (int i = 0; i < writes.size(); i++) {
            (changed.get(i) ? stored : stale).add(writes.get(i));
        }
        append(stored, positions);
        return stale;
    }

    /** Returns the indexes of the changes that are not stale, and the last positions of the slices before. */
    private BitSet change(Map<Integer, Long> positions, int timeout) throws SQLException {
        List<Write> created =
                writes.stream().filter(write -> write.revision() == 0).toList();
        String sql = PostgresTransaction.settings(PoolConnections.IDLE_SECONDS) + "; SET LOCAL statement_timeout = '"
                + timeout + "s'; " + PLANS + (created.isEmpty() ? "" : CREATE) + (slices.isEmpty() ? "" : ADVANCE)
                + UPDATE;
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            var parameters = new PostgresArrays(statement);
            if (!created.isEmpty()) {
                parameters.add("text", created, Write::type);
                parameters.add("text", created, Write::id);
            }
            if (!slices.isEmpty()) {
                List<Integer> numbers = List.copyOf(slices.keySet());
                parameters.add("int4", numbers, slice -> slice);
                parameters.add("int8", numbers, slices::get);
            }
            parameters.add("int4", IntStream.range(0, writes.size()).boxed().toList(), index -> index);
            parameters.add("text", writes, Write::type);
            parameters.add("text", writes, Write::id);
            parameters.add("int8", writes, Write::revision);
            parameters.add("int8", writes, Write::newVersion);
            parameters.addBytes(writes, Write::state);
            parameters.add("int8", writes, write -> write.state() == null ? null : write.newVersion());
            return changed(statement, positions);
        }
    }

    private BitSet changed(PreparedStatement statement, Map<Integer, Long> positions) throws SQLException {
        ResultSet rows = nextRows(statement, statement.execute());
        if (!slices.isEmpty()) {
            while (rows.next()) {
                positions.put(rows.getInt(1), rows.getLong(2));
            }
            Slices.check(slices.size(), positions.size());
            rows = nextRows(statement, statement.getMoreResults());
        }
        var changed = new BitSet();
        while (rows.next()) {
            changed.set(rows.getInt(1));
        }
        return changed;
    }

    /** Skips the results of statements without rows. */
    private static ResultSet nextRows(PreparedStatement statement, boolean hasRows) throws SQLException {
        while (!hasRows) {
            if (statement.getUpdateCount() == -1) {
                throw new SQLException("the driver does not return the results of several statements");
            }
            hasRows = statement.getMoreResults();
        }
        return statement.getResultSet();
    }

    private void append(List<Write> stored, Map<Integer, Long> positions) throws SQLException {
        var events = new ArrayList<Event>();
        for (Write write : stored) {
            int slice = slice(write);
            long version = write.version();
            for (byte[] event : write.events()) {
                events.add(new Event(write, slice, positions.merge(slice, 1L, Long::sum), ++version, event));
            }
        }
        if (events.isEmpty()) {
            return;
        }
        try (PreparedStatement statement = connection.prepareStatement(APPEND)) {
            statement.setObject(1, Time.now().atOffset(ZoneOffset.UTC));
            var parameters = new PostgresArrays(statement, 2);
            parameters.add("text", events, event -> event.write.type());
            parameters.add("int4", events, Event::slice);
            parameters.add("int8", events, Event::position);
            parameters.add("text", events, event -> event.write.id());
            parameters.add("int8", events, Event::version);
            parameters.addBytes(events, Event::bytes);
            statement.executeUpdate();
        }
    }
}
