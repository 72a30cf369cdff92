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
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The tables of a store, whose statements are valid for H2 and PostgreSQL. */
final class Schema {

    /** The version of the tables, which is the number of the last file with statements. */
    static final int VERSION = 1;

    /** The path of the resource with the statements. */
    static final String FILE = file(VERSION);

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

    /** Returns the path of the resource that upgrades the tables to a version from the preceding one. */
    static String file(int version) {
        return "io/fibry/durable/schema-" + version + ".sql";
    }

    /**
     * Creates the tables that do not exist, and upgrades tables of a former version. Correct even if several processes
     * do so at once: in PostgreSQL, one of them may fail despite IF NOT EXISTS. Each file is executed from the first
     * one, because its statements may be repeated, and the last one stores its version.
     *
     * @throws SQLException also if the tables have a later version
     */
    static void create(Connection connection, int timeout) throws SQLException {
        for (int attempt = 1; !isComplete(connection, timeout); attempt++) {
            try (Statement statement = connection.createStatement()) {
                statement.setQueryTimeout(timeout);
                for (int version = 1; version <= VERSION; version++) {
                    statement.execute(statements(version));
                }
                return;
            } catch (SQLException e) {
                if (attempt == ATTEMPTS || !CONCURRENT.contains(String.valueOf(e.getSQLState()))) {
                    throw e;
                }
                LOG.debug("Another process has created a table.", e);
            }
        }
    }

    private static boolean isComplete(Connection connection, int timeout) throws SQLException {
        int version = SchemaCheck.version(connection, timeout);
        if (version > VERSION) {
            throw mismatch(version, VERSION);
        }
        return version == VERSION && SchemaCheck.exists(connection, timeout);
    }

    /** Returns the exception for tables of another version than the required one. */
    static SQLException mismatch(int found, int required) {
        String difference = "the tables of fibry-durable have version " + found + ", but this version of the library"
                + " requires version " + required;
        if (found > required) {
            return new SQLException(difference + ": use a later version of fibry-durable");
        }
        String files = IntStream.rangeClosed(found + 1, required)
                .mapToObj(Schema::file)
                .collect(Collectors.joining(", "));
        return new SQLException(difference + ". Execute the statements of " + files
                + ", in the jar of fibry-durable, or call JdbcStore.createSchema");
    }

    private static String statements(int version) {
        String name = "/" + file(version);
        try (InputStream in = Objects.requireNonNull(Schema.class.getResourceAsStream(name), name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
