package io.fibry.durable;

import io.fibry.dispatch.Time;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * Stores the changes of a group in PostgreSQL in one round trip, whatever their number: the parameters are arrays.
 *
 * <ol>
 *   <li>The transaction begins, and new entities are inserted with revision 0.
 *   <li>The slices of the events are locked in ascending order, and their positions advance; {@link Slices} has the
 *       reason.
 *   <li>Entities with the expected revision are updated, and their events are inserted. The other changes are stale,
 *       and leave gaps in the positions.
 *   <li>A single change without messages, reminders or a reply to keep is committed. After a failure, its outcome is
 *       unknown.
 * </ol>
 *
 * <p><b>Locks.</b> Each transaction locks new entities, then slices, then existing entities, each in ascending order,
 * because a statement finds its rows one by one, in the order of the arrays. Transactions therefore do not deadlock. If
 * a future planner changes the order, PostgreSQL ends one of them; the changes of a group are then repeated.
 *
 * <p><b>Plans.</b> The settings of the transaction select nested loops over an index: the planner does not know the
 * length of an array, and scans small tables, which grow by the dead rows of frequent updates. Generic plans save the
 * planning of each transaction, which costs more than the execution. The condition {@code (.. IN ..) IS TRUE} is
 * evaluated with a hash table; a join of the two arrays would be quadratic.
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
        WHERE s.slice = c.slice;
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

    /** The events of a slice have its last positions. */
    private static final String UPDATE_AND_APPEND = """
        WITH changed AS (%s), appended AS (
            INSERT INTO fibry_event (type, slice, position, id, version, time, event)
            SELECT e.type, e.slice, (SELECT s.position - e.later FROM fibry_slice s WHERE s.slice = e.slice),
                e.id, e.version, ?, e.event
            FROM unnest(?::integer[], ?::text[], ?::integer[], ?::bigint[], ?::text[], ?::bigint[], ?::bytea[])
                AS e (change, type, slice, later, id, version, event)
            WHERE (e.change IN (SELECT change FROM changed)) IS TRUE
        )
        SELECT change FROM changed\
        """.formatted(UPDATE);

    /** The SQLSTATE of a missing position: its slice has no row. */
    private static final String NULL_VALUE = "23502";

    private final List<Write> writes;

    /** The number of events in each slice. */
    private final NavigableMap<Integer, Long> slices = new TreeMap<>();

    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Event(int change, Write write, int slice, long later, long version, byte[] bytes) {}

    private PostgresChanges(List<Write> writes) {
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
     * order of their entities.
     *
     * @param timeout of a statement, in seconds
     * @param commits whether the transaction is committed
     */
    static List<Write> store(Connection connection, List<Write> writes, int timeout, boolean commits)
            throws SQLException {
        return new PostgresChanges(writes).store(connection, timeout, commits);
    }

    private List<Write> store(Connection connection, int timeout, boolean commits) throws SQLException {
        List<Write> created =
                writes.stream().filter(write -> write.revision() == 0).toList();
        String sql = PostgresTransaction.settings(PoolConnections.IDLE_SECONDS) + "; SET LOCAL statement_timeout = '"
                + timeout + "s'; " + PLANS + (created.isEmpty() ? "" : CREATE)
                + (slices.isEmpty() ? UPDATE : ADVANCE + UPDATE_AND_APPEND) + (commits ? "; COMMIT" : "");
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setFetchSize(0); // all rows at once: a commit closes cursors
            setParameters(new PostgresArrays(statement), created);
            return stale(statement);
        } catch (SQLException e) {
            throw NULL_VALUE.equals(e.getSQLState()) ? Slices.missing(e) : e;
        }
    }

    private void setParameters(PostgresArrays parameters, List<Write> created) throws SQLException {
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
        if (!slices.isEmpty()) {
            parameters.add(Time.now());
            setEvents(parameters, events());
        }
    }

    private static void setEvents(PostgresArrays parameters, List<Event> events) throws SQLException {
        parameters.add("int4", events, Event::change);
        parameters.add("text", events, event -> event.write.type());
        parameters.add("int4", events, Event::slice);
        parameters.add("int8", events, Event::later);
        parameters.add("text", events, event -> event.write.id());
        parameters.add("int8", events, Event::version);
        parameters.addBytes(events, Event::bytes);
    }

    private List<Event> events() {
        var events = new ArrayList<Event>();
        var later = new TreeMap<>(slices);
        for (int change = 0; change < writes.size(); change++) {
            Write write = writes.get(change);
            int slice = slice(write);
            long version = write.version();
            for (byte[] event : write.events()) {
                events.add(new Event(change, write, slice, later.merge(slice, -1L, Long::sum), ++version, event));
            }
        }
        return events;
    }

    private List<Write> stale(PreparedStatement statement) throws SQLException {
        var changed = new BitSet();
        try (ResultSet rows = rows(statement)) {
            while (rows.next()) {
                changed.set(rows.getInt(1));
            }
        }
        return IntStream.range(0, writes.size())
                .filter(index -> !changed.get(index))
                .mapToObj(writes::get)
                .toList();
    }

    /** Executes the statements, and returns the result of the only one that has rows. */
    private static ResultSet rows(PreparedStatement statement) throws SQLException {
        for (boolean hasRows = statement.execute(); !hasRows; hasRows = statement.getMoreResults()) {
            if (statement.getUpdateCount() == -1) {
                throw new SQLException("the driver does not return the results of several statements");
            }
        }
        return statement.getResultSet();
    }
}
