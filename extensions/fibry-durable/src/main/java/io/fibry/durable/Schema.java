package io.fibry.durable;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Objects;

/** The tables of a store, whose statements are valid for H2 and PostgreSQL. */
final class Schema {

    /** The path of the resource with the statements. */
    static final String FILE = "io/fibry/durable/schema-1.sql";

    static final int TYPE_LENGTH = 100;

    /** Type and id together must fit into an entry of PostgreSQL's index, about 2,700 bytes. */
    static final int ID_LENGTH = 500;

    private static final int ATTEMPTS = 5;

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
                if (attempt == ATTEMPTS) {
                    throw e;
                }
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
