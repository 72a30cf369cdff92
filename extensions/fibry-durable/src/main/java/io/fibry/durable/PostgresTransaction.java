package io.fibry.durable;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

/** The settings of a transaction of PostgreSQL, which end with it. Their statements share a round trip. */
final class PostgresTransaction {

    private PostgresTransaction() {}

    /**
     * Begins a transaction with the isolation {@code READ COMMITTED} that ends after a time without statements. A
     * process that is suspended or unreachable must not keep its locks, because PostgreSQL would not end its
     * transaction otherwise.
     *
     * @return false if this is another database, and nothing has been done
     */
    static boolean begin(Connection connection, int idleSeconds) throws SQLException {
        if (!connection.getMetaData().getDatabaseProductName().equals("PostgreSQL")) {
            return false;
        }
        try (Statement statement = connection.createStatement()) {
            statement.execute("SET TRANSACTION ISOLATION LEVEL READ COMMITTED;"
                    + " SET LOCAL idle_in_transaction_session_timeout = '" + idleSeconds + "s'");
        }
        return true;
    }
}
