package io.fibry.durable;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Connections of a data source: each statement commits. */
final class PoolConnections implements JdbcConnections {

    /** The maximum number of concurrent connections, even if the data source is not a pool. */
    private static final int THREADS = 16;

    private final DataSource dataSource;
    private final ThreadPoolExecutor threads = JdbcConnections.threads(THREADS);

    PoolConnections(DataSource dataSource) {
        this.dataSource = dataSource;
    }

    @Override
    public <T extends @Nullable Object> Future<T> submit(Work<T> work) {
        return threads.submit(() -> call(work));
    }

    private <T extends @Nullable Object> T call(Work<T> work) throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            if (connection.getAutoCommit()) {
                return work.with(connection);
            }
            connection.setAutoCommit(true);
            try {
                return work.with(connection);
            } finally {
                connection.setAutoCommit(false); // the state in which the pool returned it
            }
        }
    }

    /** The creator of the data source closes it. */
    @Override
    public void close() {
        threads.shutdown();
    }

    @Override
    public boolean awaitClosed(long seconds) throws InterruptedException {
        return threads.awaitTermination(seconds, TimeUnit.SECONDS);
    }
}
