package io.fibry.examples.bank;

import io.fibry.durable.EventLog;
import io.fibry.durable.Projection;
import io.fibry.durable.Recorded;
import io.fibry.durable.RunningProjection;
import io.fibry.examples.bank.Account.Event;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import javax.sql.DataSource;

/** A table with the number of transfers from each account, and its balance: a projection of the events. */
public record Report(DataSource dataSource, RunningProjection projection) implements AutoCloseable {

    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    /** The sums over all accounts. */
    private record Sums(long sent, long cents) {}

    /** Creates the table if it does not exist, and adds all events that it does not have yet. */
    public static Report start(DataSource dataSource, EventLog<?, ?, Event, ?> log)
            throws SQLException, InterruptedException {
        try (var connection = dataSource.getConnection();
                var statement = connection.createStatement()) {
            statement.execute("CREATE TABLE IF NOT EXISTS report (account VARCHAR(100) PRIMARY KEY,"
                    + " sent BIGINT NOT NULL, cents BIGINT NOT NULL)");
        }
        return new Report(dataSource, Projection.of("report", log, Report::add).start());
    }

    /** Adds an event to the report, in the transaction that stores the position of the projection. */
    private static void add(Connection connection, Recorded<Event> recorded) throws SQLException {
        String account = recorded.key();
        switch (recorded.event()) {
            case Event.Opened opened -> add(connection, account, 0, opened.cents());
            case Event.Withdrawn withdrawn -> add(connection, account, 1, -withdrawn.cents());
            case Event.Deposited deposited -> add(connection, account, 0, deposited.cents());
            case Event.Refused refused -> {}
            case Event.StatementSent statement -> {}
        }
    }

    private static void add(Connection connection, String account, long sent, long cents) throws SQLException {
        String update = "UPDATE report SET sent = sent + ?, cents = cents + ? WHERE account = ?";
        String insert = "INSERT INTO report (sent, cents, account) VALUES (?, ?, ?)";
        if (execute(connection, update, account, sent, cents) == 0) {
            execute(connection, insert, account, sent, cents);
        }
    }

    private static int execute(Connection connection, String sql, String account, long sent, long cents)
            throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setLong(1, sent);
            statement.setLong(2, cents);
            statement.setString(3, account);
            return statement.executeUpdate();
        }
    }

    /**
     * Waits until the report has all events, and compares its sums with the books.
     *
     * @throws IllegalStateException if they differ
     */
    public void check(Books books) throws SQLException, InterruptedException {
        Instant deadline = Instant.now().plus(TIMEOUT);
        var expected = new Sums(books.sent(), books.cents());
        Sums sums = sums();
        while (!sums.equals(expected) && Instant.now().isBefore(deadline)) {
            Thread.sleep(10);
            sums = sums();
        }
        if (!sums.equals(expected)) {
            throw new IllegalStateException(
                    "The report has the sums " + sums + ", not " + expected + ": " + projection.status());
        }
    }

    private Sums sums() throws SQLException {
        try (var connection = dataSource.getConnection();
                var statement = connection.createStatement();
                var rows = statement.executeQuery("SELECT SUM(sent), SUM(cents) FROM report")) {
            rows.next();
            return new Sums(rows.getLong(1), rows.getLong(2));
        }
    }

    @Override
    public void close() {
        projection.close();
    }
}
