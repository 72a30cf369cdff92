package io.fibry.durable;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Objects;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The tables of a store, whose statements are valid for H2 and PostgreSQL. */
final class Schema {

    /** The path of the resource with the statements. */
    static final String FILE = "io/fibry/durable/schema-1.sql";

    /** The owner of a lease is a UUID. */
    static final int OWNER_LENGTH = 36;

    private static final int ATTEMPTS = 5;

    /**
     * The states of failures because another process creates the tables: duplicates in PostgreSQL and H2, conflicts in
     * the catalog of PostgreSQL, deadlocks, and a timeout of a lock in H2.
     */
    private static final Set<String> CONCURRENT =
            Set.of("23505", "42P07", "42710", "42S01", "42S11", "XX000", "40001", "40P01", "HYT00");

    private static final Logger LOG = LoggerFactory.getLogger(JdbcStore.class);

    private Schema() {}

    /**
     * Creates the tables that do not exist. Correct even if several processes create them at once: in PostgreSQL, one
     * of them may fail despite IF NOT EXISTS.
     */
    static void create(Connection connection, int timeout) throws SQLException {
        for (int attempt = 1; !SchemaCheck.exists(connection, timeout); attempt++) {
            try (Statement statement = connection.createStatement()) {
                statement.setQueryTimeout(timeout);
                statement.execute(statements());
            } catch (SQLException e) {
                if (attempt == ATTEMPTS || !CONCURRENT.contains(String.valueOf(e.getSQLState()))) {
                    throw e;
                }
                LOG.debug("Another process has created a table.", e);
            }
        }
    }

    static String statements() {
        try (InputStream in = Objects.requireNonNull(Schema.class.getResourceAsStream("schema-1.sql"), FILE)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
