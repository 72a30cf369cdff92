package io.fibry.bench.durable;

import com.zaxxer.hikari.HikariDataSource;
import io.fibry.bench.durable.Account.Deposited;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Reads the events of {@link JdbcAccounts} in the order of their positions, slice by slice, with a transaction for each
 * group of events. One thread suffices: the time is spent in the database.
 */
final class PlainProjection {

    private static final String OFFSETS =
            "CREATE TABLE plain_offset (slice INTEGER NOT NULL PRIMARY KEY, position BIGINT NOT NULL)";
    private static final String INSERT_OFFSETS =
            "INSERT INTO plain_offset SELECT n, 0 FROM generate_series(0, " + (JdbcAccounts.SLICES - 1) + ") AS n";
    private static final String READ = "SELECT position, id, event FROM plain_event WHERE type = ? AND slice = ?"
            + " AND position > (SELECT position FROM plain_offset WHERE slice = ?) ORDER BY position LIMIT ?";
    private static final String ADVANCE = "UPDATE plain_offset SET position = ? WHERE slice = ?";

    private final HikariDataSource pool;
    private final Projection projection;

    private PlainProjection(HikariDataSource pool, Projection projection) {
        this.pool = pool;
        this.projection = projection;
    }

    static Projection.Running start(Database.Postgres server, HikariDataSource pool, Projection projection)
            throws SQLException {
        server.execute(OFFSETS, INSERT_OFFSETS);
        ExecutorService thread = Executors.newSingleThreadExecutor();
        Future<?> run = thread.submit(() -> {
            new PlainProjection(pool, projection).run();
            return true;
        });
        return () -> {
            thread.close();
            var unused = run.get(); // throws its failure
        };
    }

    private void run() throws SQLException {
        try (Connection connection = pool.getConnection()) {
            for (int slice = 0; slice < JdbcAccounts.SLICES; slice++) {
                while (handle(connection, slice)) {
                    connection.commit();
                }
            }
        }
    }

    /** Returns false after the last event of the slice. */
    private boolean handle(Connection connection, int slice) throws SQLException {
        List<String> keys = new ArrayList<>();
        long position = 0;
        try (PreparedStatement statement = connection.prepareStatement(READ)) {
            statement.setString(1, JdbcAccounts.TYPE);
            statement.setInt(2, slice);
            statement.setInt(3, slice);
            statement.setInt(4, Projection.GROUP);
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    position = rows.getLong(1);
                    keys.add(rows.getString(2));
                    Deposited unused = Account.EVENTS.decode(rows.getBytes(3));
                }
            }
        }
        if (keys.isEmpty()) {
            return false;
        }
        projection.handle(connection, keys);
        try (PreparedStatement statement = connection.prepareStatement(ADVANCE)) {
            statement.setLong(1, position);
            statement.setInt(2, slice);
            return statement.executeUpdate() == 1;
        }
    }
}
