package io.fibry.durable;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

/** The settings of a transaction of PostgreSQL, which end with it. */
final class PostgresTransaction {

    private PostgresTransaction() {}

    /** Returns whether the database is PostgreSQL. Does not access the database. */
    static boolean isPostgres(Connection connection) throws SQLException {
        return connection.getMetaData().getDatabaseProductName().equals("PostgreSQL");
    }

    /** Begins a transaction with the {@link #settings}. */
    static void begin(Connection connection, int idleSeconds) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(settings(idleSeconds));
        }
    }

    /**
     * Returns the first statements of a transaction, which share a round trip: the isolation is {@code READ COMMITTED},
     * and the transaction ends after a time without statements. Without the limit, PostgreSQL keeps the
     * locks of a process that is suspended or unreachable.
     */
    static String settings(int idleSeconds) {
        return "SET TRANSACTION ISOLATION LEVEL READ COMMITTED;" + " SET LOCAL idle_in_transaction_session_timeout = '"
                + idleSeconds + "s'";
    }
}
