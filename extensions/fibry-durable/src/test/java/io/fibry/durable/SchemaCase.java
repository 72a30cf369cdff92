package io.fibry.durable;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The version and the indexes of the tables of every {@link JdbcStore}. */
abstract class SchemaCase extends JdbcStoreCase {

    private static final int TIMEOUT = 10;

    private String failureOfCheck() {
        return assertThrows(SQLException.class, this::check).getMessage();
    }

    private void check() throws Exception {
        try (Connection connection = connect()) {
            SchemaCheck.check(connection, TIMEOUT);
        }
    }

    private void create() throws Exception {
        try (Connection connection = connect()) {
            Schema.create(connection, TIMEOUT);
        }
    }

    private int version() throws Exception {
        try (Connection connection = connect()) {
            return SchemaCheck.version(connection, TIMEOUT);
        }
    }

    /** An older program neither opens the tables of a newer one nor executes its own statements. */
    @Test
    void aLaterVersionIsRefused() throws Exception {
        execute("INSERT INTO fibry_schema VALUES (2)");
        execute("DROP TABLE fibry_reply");
        String message =
                "the tables of fibry-durable have version 2, but this version of the library requires version 1:"
                        + " use a later version of fibry-durable";
        assertEquals(message, failureOfCheck());
        assertEquals(message, assertThrows(SQLException.class, this::create).getMessage());
        assertEquals(
                message, assertThrows(SQLException.class, () -> open().close()).getMessage());
        execute("DELETE FROM fibry_schema WHERE version = 2");
        create();
        check();
    }

    @Test
    void aMissingVersionIsRefusedAndCreated() throws Exception {
        execute("DELETE FROM fibry_schema");
        assertEquals(
                "the tables of fibry-durable have version 0, but this version of the library requires version 1."
                        + " Execute the statements of io/fibry/durable/schema-1.sql, in the jar of fibry-durable, or"
                        + " call JdbcStore.createSchema",
                failureOfCheck());
        create();
        check();
        execute("DROP TABLE fibry_schema");
        assertEquals(
                "the table fibry_schema does not exist or cannot be read. Execute the statements of"
                        + " io/fibry/durable/schema-1.sql, which is in the jar of fibry-durable, or call"
                        + " JdbcStore.createSchema",
                failureOfCheck());
        create();
        check();
        assertEquals(1, version());
    }

    @Test
    void anEarlierVersionNeedsTheFilesAfterIt() {
        assertEquals(
                "the tables of fibry-durable have version 1, but this version of the library requires version 3."
                        + " Execute the statements of io/fibry/durable/schema-2.sql, io/fibry/durable/schema-3.sql, in"
                        + " the jar of fibry-durable, or call JdbcStore.createSchema",
                Schema.mismatch(1, 3).getMessage());
    }

    /** The failure of the check has the statement that creates the index. */
    @ParameterizedTest
    @CsvSource({
        "fibry_message, fibry_message_due, 'id, due, number', topic",
        "fibry_message, fibry_message_attempt, attempt_at, id",
        "fibry_reply, fibry_reply_time, time, id",
    })
    void aMissingIndexIsRefused(String table, String index, String columns, String further) throws Exception {
        execute("DROP INDEX " + index);
        String statement = "CREATE INDEX " + index + " ON " + table + " (type, " + columns + ")";
        String message = "the table " + table + " has no index of type, " + columns + ". Execute: " + statement;
        assertEquals(message, failureOfCheck());
        execute("CREATE INDEX reverse ON " + table + " (" + columns + ", type)");
        execute("CREATE INDEX short ON " + table + " (type)");
        assertEquals(message, failureOfCheck());
        execute(statement);
        check();
        execute("DROP INDEX " + index);
        execute("CREATE INDEX longer ON " + table + " (type, " + columns + ", " + further + ")");
        check();
    }

    /** Asserts that a statement reads rows in the order of an index, without a sort. The tables must have many rows. */
    final void assertOrderOfIndex(String index, String sql, Object... parameters) throws Exception {
        execute("ANALYZE");
        var lines = new StringBuilder();
        try (var connection = connect();
                var statement = connection.prepareStatement("EXPLAIN " + sql)) {
            for (int i = 0; i < parameters.length; i++) {
                statement.setObject(i + 1, parameters[i]);
            }
            try (var rows = statement.executeQuery()) {
                while (rows.next()) {
                    lines.append(rows.getString(1)).append('\n');
                }
            }
        }
        String plan = lines.toString().toLowerCase(Locale.ROOT);
        boolean isOrdered = plan.contains("/* index sorted */") // H2
                || (plan.contains("index scan using") && !plan.contains("sort")); // PostgreSQL
        assertTrue(plan.contains(index) && isOrdered, plan);
    }
}
