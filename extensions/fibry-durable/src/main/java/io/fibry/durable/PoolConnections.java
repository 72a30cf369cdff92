package io.fibry.durable;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Connections of a data source. They are returned with the setting of auto-commit that they had. */
final class PoolConnections implements JdbcConnections {

    /** The maximum number of concurrent connections, even if the data source is not a pool. */
    private static final int CONNECTIONS = 16;

    /** The time without statements after which PostgreSQL ends a transaction. */
    static final int IDLE_SECONDS = 5;

    /** The same time for a transaction with code of the program. */
    static final int LONG_IDLE_SECONDS = 60;

    private final Source source;
    private final ExecutorService threads;

    /** The thread of {@link #transactSerially}. */
    private final ExecutorService serial;

    PoolConnections(DataSource dataSource) {
        this(
                dataSource::getConnection,
                JdbcConnections.threads("fibry-store-", CONNECTIONS - 1),
                JdbcConnections.threads("fibry-commit-", 1));
    }

    /** The threads are shut down by {@link #close}. */
    PoolConnections(Source source, ExecutorService threads, ExecutorService serial) {
        this.source = source;
        this.threads = threads;
        this.serial = serial;
    }

    /** Returns connections, which are closed after each use. */
    interface Source {
        Connection connect() throws SQLException;
    }

    @Override
    public <T extends @Nullable Object> CompletableFuture<T> submit(Work<T> work) {
        return submit(threads, true, work);
    }

    @Override
    public <T extends @Nullable Object> CompletableFuture<T> transact(Work<T> work) {
        return submit(threads, false, connection -> commit(connection, IDLE_SECONDS, work));
    }

    @Override
    public <T extends @Nullable Object> CompletableFuture<T> transactSerially(Work<T> work) {
        return submit(serial, false, connection -> commit(connection, IDLE_SECONDS, work));
    }

    @Override
    public <T extends @Nullable Object> CompletableFuture<T> transactHere(Work<T> work) {
        if (threads.isShutdown()) {
            throw new RejectedExecutionException();
        }
        try {
            return CompletableFuture.completedFuture(
                    call(false, connection -> commit(connection, LONG_IDLE_SECONDS, work)));
        } catch (Throwable e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private <T extends @Nullable Object> CompletableFuture<T> submit(
            Executor executor, boolean autoCommit, Work<T> work) {
        var result = new CompletableFuture<T>();
        executor.execute(() -> {
            if (result.isDone()) {
                return; // cancelled
            }
            try {
                result.complete(call(autoCommit, work));
            } catch (Throwable e) {
                result.completeExceptionally(e);
            }
        });
        return result;
    }

    private <T extends @Nullable Object> T call(boolean autoCommit, Work<T> work) throws SQLException {
        try (Connection connection = source.connect()) {
            return with(connection, autoCommit, work);
        }
    }

    /** Runs work with this setting of auto-commit, and then restores the previous one. */
    static <T extends @Nullable Object> T with(Connection connection, boolean autoCommit, Work<T> work)
            throws SQLException {
        boolean before = connection.getAutoCommit();
        if (before == autoCommit) {
            return work.with(connection);
        }
        connection.setAutoCommit(autoCommit);
        T result;
        try {
            result = work.with(connection);
        } catch (Throwable e) {
            attempt(() -> restore(connection, before), e);
            throw e;
        }
        connection.setAutoCommit(before);
        return result;
    }

    /** Leaves auto-commit disabled if a rollback fails: to enable it would commit. */
    private static void restore(Connection connection, boolean autoCommit) throws SQLException {
        if (!connection.getAutoCommit()) {
            connection.rollback();
        }
        connection.setAutoCommit(autoCommit);
    }

    private static <T extends @Nullable Object> T commit(Connection connection, int idleSeconds, Work<T> work)
            throws SQLException {
        if (PostgresTransaction.isPostgres(connection)) {
            if (!work.begins()) {
                PostgresTransaction.begin(connection, idleSeconds);
            }
            return commit(connection, work);
        }
        int isolation = connection.getTransactionIsolation();
        if (isolation == Connection.TRANSACTION_READ_COMMITTED) {
            return commit(connection, work);
        }
        connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
        T result;
        try {
            result = commit(connection, work);
        } catch (Throwable e) {
            attempt(() -> connection.setTransactionIsolation(isolation), e);
            throw e;
        }
        connection.setTransactionIsolation(isolation);
        return result;
    }

    private static <T extends @Nullable Object> T commit(Connection connection, Work<T> work) throws SQLException {
        try {
            T result = work.with(connection);
            connection.commit();
            return result;
        } catch (Throwable e) {
            attempt(connection::rollback, e);
            throw e;
        }
    }

    private interface Step {
        void run() throws SQLException;
    }

    /** If the connection is broken, the first failure remains the reason. */
    private static void attempt(Step step, Throwable failure) {
        try {
            step.run();
        } catch (SQLException e) {
            failure.addSuppressed(e);
        }
    }

    /** The creator of the data source closes it. */
    @Override
    public void close() {
        threads.shutdown();
        serial.shutdown();
    }

    @Override
    public boolean awaitClosed(long seconds) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        return threads.awaitTermination(seconds, TimeUnit.SECONDS)
                && serial.awaitTermination(end - System.nanoTime(), TimeUnit.NANOSECONDS);
    }
}
