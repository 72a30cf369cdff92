package io.fibry.durable;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/** Runs work when the test says so, on the only connection. */
final class ManualConnections implements JdbcConnections {

    final Queue<Runnable> waiting = new ArrayDeque<>();
    int committed;
    boolean failCommit;
    boolean failConnection;

    @Nullable
    Error error;

    boolean isClosed;

    private final Connection database;

    ManualConnections(Connection database) {
        this.database = database;
    }

    void runNext() {
        waiting.remove().run();
    }

    @Override
    public <T extends @Nullable Object> CompletableFuture<T> transact(Work<T> work) {
        if (isClosed) {
            throw new RejectedExecutionException();
        }
        if (error != null) {
            throw error;
        }
        var result = new CompletableFuture<T>();
        waiting.add(() -> run(work, result));
        return result;
    }

    private <T extends @Nullable Object> void run(Work<T> work, CompletableFuture<T> result) {
        T value;
        try {
            if (failConnection) {
                throw new SQLException("connection");
            }
            value = work.with(database);
            if (failCommit) {
                throw new SQLException("commit");
            }
            database.commit();
            committed++;
        } catch (SQLException | RuntimeException e) {
            rollback();
            result.completeExceptionally(e);
            return;
        }
        result.complete(value);
    }

    private void rollback() {
        try {
            database.rollback();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public <T extends @Nullable Object> CompletableFuture<T> submit(Work<T> work) {
        return transact(work);
    }

    @Override
    public void close() {
        isClosed = true;
    }

    @Override
    public boolean awaitClosed(long seconds) {
        return true;
    }
}
