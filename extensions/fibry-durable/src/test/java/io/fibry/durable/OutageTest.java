package io.fibry.durable;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.sql.Connection;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Outages with entities that store their state, and tables with which the store cannot be opened. */
class OutageTest extends OutageFixture {

    OutageTest() {
        super(1, 1);
    }

    // ---- the server

    @Test
    void theServerStops() throws Exception {
        survives(new Boxes(store), "Connection is not available", server()::stop, server()::startAgain);
    }

    @Test
    void allConnectionsAreTerminatedAndRefused() throws Exception {
        try (Connection other = connect("template1");
                var statement = other.createStatement()) {
            survives(
                    new Boxes(store),
                    "Connection is not available",
                    () -> {
                        statement.execute("ALTER DATABASE postgres ALLOW_CONNECTIONS false");
                        statement.execute(
                                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = 'postgres'");
                    },
                    () -> statement.execute("ALTER DATABASE postgres ALLOW_CONNECTIONS true"));
        }
    }

    @Test
    void theDatabaseIsReadOnly() throws Exception {
        survives(
                new Boxes(store),
                "in a read-only transaction",
                () -> administer("ALTER DATABASE postgres SET default_transaction_read_only = on", TERMINATE),
                () -> administer(
                        "SET default_transaction_read_only = off",
                        "ALTER DATABASE postgres RESET default_transaction_read_only",
                        TERMINATE));
    }

    /** Each statement takes longer than its timeout. */
    @Test
    void theDatabaseIsSlow() throws Exception {
        try (Connection other = connect("postgres")) {
            other.setAutoCommit(false);
            survives(
                    new Boxes(store),
                    "canceling statement due to user request",
                    () -> lock(other, "fibry_entity, fibry_message"),
                    other::rollback);
        }
    }

    // ---- the pool

    @Test
    void thePoolIsExhausted() throws Exception {
        var held = new Connection[1];
        survives(
                new Boxes(store),
                "Connection is not available",
                () -> {
                    while (held[0] == null) {
                        try {
                            held[0] = pool.getConnection();
                        } catch (SQLException e) {
                            assertTrue(e.getMessage().contains("Connection is not available"), e.getMessage());
                        }
                    }
                },
                () -> held[0].close());
    }

    // ---- the tables

    @ParameterizedTest
    @CsvSource({"fibry_entity", "fibry_message", "fibry_reply"})
    void aTableIsMissingForAWhile(String table) throws Exception {
        survives(
                new Boxes(store),
                "the table " + table + " is missing, although the store was opened with it. Restore it with its rows",
                () -> administer("ALTER TABLE " + table + " RENAME TO other"),
                () -> administer("ALTER TABLE other RENAME TO " + table));
    }

    @ParameterizedTest
    @CsvSource({"fibry_entity", "fibry_event", "fibry_message", "fibry_reply", "fibry_slice"})
    void aTableIsMissingAtTheStart(String table) throws Exception {
        administer("DROP TABLE " + table);
        assertEquals(
                "the table " + table + " does not exist or cannot be read. Execute the statements of"
                        + " io/fibry/durable/schema-1.sql, which is in the jar of fibry-durable, or call"
                        + " JdbcStore.createSchema",
                refusal());
        JdbcStore.createSchema(pool);
        JdbcStore.of(pool).close();
    }

    /** A schema of a version with a column more or less. */
    @ParameterizedTest
    @CsvSource({
        "fibry_entity, DROP COLUMN state, column state is missing",
        "fibry_message, DROP COLUMN attempts, column attempts is missing",
        "fibry_reply, DROP COLUMN time, column time is missing",
        "fibry_message, ADD COLUMN priority INTEGER, column priority is unknown"
    })
    void anotherVersionOfTheSchema(String table, String change, String difference) throws Exception {
        administer("ALTER TABLE " + table + " " + change);
        assertEquals(
                "the existing table " + table + " cannot be used: " + difference
                        + ". Rename it, and create the one of io/fibry/durable/schema-1.sql",
                refusal());
    }

    private String refusal() {
        return assertThrows(SQLException.class, () -> JdbcStore.of(pool)).getMessage();
    }
}
