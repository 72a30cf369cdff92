package io.fibry.durable;

import java.sql.BatchUpdateException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;

/** Executes a statement for several rows at once. The timeout of each batch is in seconds. */
record Batches(Connection connection, int timeout) {

    interface Parameters<T> {
        void set(PreparedStatement statement, T row) throws SQLException;
    }

    /** Returns the number of affected rows for each row. */
    <T> int[] run(String sql, List<T> rows, Parameters<T> parameters) throws SQLException {
        if (rows.isEmpty()) {
            return new int[0];
        }
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setQueryTimeout(timeout);
            for (T row : rows) {
                parameters.set(statement, row);
                statement.addBatch();
            }
            return statement.executeBatch();
        } catch (BatchUpdateException e) { // its message has the parameters; the next one has the reason
            throw e.getNextException() == null ? e : e.getNextException();
        }
    }
}
