package io.fibry.durable.crash;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.durable.ProjectionSteps;
import io.fibry.durable.Recorded;
import io.fibry.durable.SimulatedDatabase;
import io.fibry.durable.crash.Accounts.Event;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * A table with the versions of all events of the accounts, which a projection fills. The key of the table refuses a
 * repeated event, and the projector finds a lost one.
 */
final class Projected {

    private static final String NAME = "projected";
    private static final int MAX_LIMIT = 4;

    private final Random random;
    private final List<String> faults = new ArrayList<>();

    Projected(long seed) {
        random = new Random(seed);
    }

    static void create(SimulatedDatabase database) throws SQLException {
        execute(
                database,
                "CREATE TABLE projected (id VARCHAR(100) NOT NULL, version BIGINT NOT NULL, PRIMARY KEY (id,"
                        + " version))");
    }

    static void clear(SimulatedDatabase database) throws SQLException {
        execute(database, "TRUNCATE TABLE projected");
        execute(database, "TRUNCATE TABLE fibry_projection");
    }

    private static void execute(SimulatedDatabase database, String sql) throws SQLException {
        try (var connection = database.dataSource().getConnection();
                var statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /** Handles events in a process that may crash meanwhile. Some events fail. */
    void attempt(SimulatedDatabase database, Program program) {
        try {
            boolean unused = steps(program, true).run(1 + random.nextInt(MAX_LIMIT));
        } catch (Exception e) {
            boolean isExpected = database.hasCrashed(program.store) || e.getCause() instanceof IOException;
            assertTrue(isExpected, () -> "the projection failed: " + e);
        }
    }

    /** Handles the rest. */
    void complete(Program program) throws Exception {
        while (steps(program, false).run(MAX_LIMIT)) {
            assertEquals(List.of(), faults);
        }
    }

    private ProjectionSteps<Event> steps(Program program, boolean mayFail) {
        return new ProjectionSteps<>(NAME, program.log, (connection, event) -> project(connection, event, mayFail));
    }

    private void project(Connection connection, Recorded<Event> event, boolean mayFail) throws Exception {
        long last = last(connection, event.key());
        if (event.version() != last + 1) {
            faults.add(event.key() + ": event " + event.version() + " after " + last);
        }
        try (var insert = connection.prepareStatement("INSERT INTO projected (id, version) VALUES (?, ?)")) {
            insert.setString(1, event.key());
            insert.setLong(2, event.version());
            insert.executeUpdate();
        }
        if (mayFail && random.nextInt(20) == 0) {
            throw new IOException("refused");
        }
    }

    private static long last(Connection connection, String key) throws SQLException {
        try (var query = connection.prepareStatement("SELECT MAX(version) FROM projected WHERE id = ?")) {
            query.setString(1, key);
            try (var rows = query.executeQuery()) {
                rows.next();
                return rows.getLong(1); // 0 without a row
            }
        }
    }

    /** Checks that the events of an account have been handled once, in their order. */
    void check(SimulatedDatabase database, String key, int events) throws SQLException {
        assertEquals(List.of(), faults);
        try (var connection = database.dataSource().getConnection()) {
            assertEquals(events, last(connection, key), () -> "the last projected event of " + key);
        }
    }
}
