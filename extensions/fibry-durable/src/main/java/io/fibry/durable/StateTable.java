package io.fibry.durable;

import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.jspecify.annotations.Nullable;

/** The table of states, in SQL for H2 and PostgreSQL. */
final class StateTable {

    static final int TYPE_LENGTH = 100;

    /** Type and id together must fit into an entry of PostgreSQL's index, about 2,700 bytes. */
    static final int ID_LENGTH = 500;

    static final String CREATE =
            "CREATE TABLE IF NOT EXISTS fibry_state (type VARCHAR(" + TYPE_LENGTH + ") NOT NULL, id VARCHAR("
                    + ID_LENGTH + ") NOT NULL, version BIGINT NOT NULL, state BYTEA NOT NULL, PRIMARY KEY (type, id))";

    private static final String EXISTS = "SELECT 1 FROM fibry_state WHERE 1 = 0";
    private static final String LOAD = "SELECT version, state FROM fibry_state WHERE type = ? AND id = ?";
    private static final String INSERT = "INSERT INTO fibry_state (type, id, version, state) VALUES (?, ?, 1, ?)";
    private static final String UPDATE =
            "UPDATE fibry_state SET version = version + 1, state = ? WHERE type = ? AND id = ? AND version = ?";

    /** The SQLSTATE of a duplicate key. */
    private static final String DUPLICATE = "23505";

    private StateTable() {}

    /**
     * Creates the table, or checks the existing one. Correct even if several processes create it at once: in
     * PostgreSQL, one of them may fail despite IF NOT EXISTS.
     */
    static void create(Connection connection, int timeout) throws SQLException {
        if (exists(connection, timeout)) { // the right to create tables is then not required
            TableCheck.check(connection, timeout);
            return;
        }
        try (Statement statement = connection.createStatement()) {
            statement.setQueryTimeout(timeout);
            statement.execute(CREATE);
        } catch (SQLException e) {
            if (!exists(connection, timeout)) {
                throw e;
            }
        }
    }

    private static boolean exists(Connection connection, int timeout) {
        try (Statement statement = connection.createStatement()) {
            statement.setQueryTimeout(timeout);
            statement.executeQuery(EXISTS).close();
            return true;
        } catch (SQLException e) {
            return false; // any other reason also fails the creation, which reports it
        }
    }

    static StateStore.@Nullable Stored load(Connection connection, String type, String id, int timeout)
            throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(LOAD)) {
            statement.setQueryTimeout(timeout);
            statement.setString(1, type);
            statement.setString(2, id);
            try (ResultSet rows = statement.executeQuery()) {
                return rows.next() ? new StateStore.Stored(rows.getLong(1), rows.getBytes(2)) : null;
            }
        }
    }

    static void save(Connection connection, String type, String id, long expected, byte[] state, int timeout)
            throws SQLException {
        if (!(expected == 0
                ? insert(connection, type, id, state, timeout)
                : update(connection, type, id, expected, state, timeout))) {
            throw new StaleStateException(type, id, expected);
        }
    }

    private static boolean insert(Connection connection, String type, String id, byte[] state, int timeout)
            throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(INSERT)) {
            statement.setQueryTimeout(timeout);
            statement.setString(1, type);
            statement.setString(2, id);
            statement.setBytes(3, state);
            statement.executeUpdate();
            return true;
        } catch (SQLException e) {
            if (DUPLICATE.equals(e.getSQLState())) {
                return false;
            }
            throw e;
        }
    }

    private static boolean update(
            Connection connection, String type, String id, long expected, byte[] state, int timeout)
            throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(UPDATE)) {
            statement.setQueryTimeout(timeout);
            statement.setBytes(1, state);
            statement.setString(2, type);
            statement.setString(3, id);
            statement.setLong(4, expected);
            return statement.executeUpdate() == 1;
        }
    }

    static void checkNames(String type, String id) {
        checkName("type", type, TYPE_LENGTH);
        checkName("id", id, ID_LENGTH);
    }

    /** PostgreSQL does not support the character 0 in texts, and two ids with invalid Unicode could become equal. */
    private static void checkName(String what, String name, int max) {
        if (name.isEmpty() || name.length() > max) {
            throw new IllegalArgumentException(what + " must have 1 to " + max + " characters, not " + name.length());
        }
        if (name.indexOf('\0') >= 0 || !StandardCharsets.UTF_8.newEncoder().canEncode(name)) {
            throw new IllegalArgumentException(what + " must have neither the character 0 nor half a surrogate pair");
        }
    }
}
