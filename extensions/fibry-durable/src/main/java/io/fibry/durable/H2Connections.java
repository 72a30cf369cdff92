package io.fibry.durable;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The connection to an embedded database, and its only thread. The thread is never interrupted, because an interrupt
 * closes the file. It syncs the disk once for all work submitted in the meantime (group commit).
 */
final class H2Connections implements JdbcConnections {

    private static final Logger LOG = LoggerFactory.getLogger(JdbcStore.class);

    private static final int BATCH = 256;

    private final H2File file;
    private final ThreadPoolExecutor thread = JdbcConnections.threads("fibry-store-", 1);
    private final Queue<Submitted<?>> tasks = new ConcurrentLinkedQueue<>();

    /** Confined to the thread. */
    private boolean isClosed;

    H2Connections(Path path, int timeout) {
        file = new H2File(path, timeout);
    }

    @Override
    public <T extends @Nullable Object> CompletableFuture<T> submit(Work<T> work) {
        var task = new Submitted<>(work);
        tasks.add(task);
        try {
            thread.execute(this::next);
        } catch (Throwable e) { // closed, or no thread
            if (tasks.remove(task)) {
                throw e;
            }
        }
        return task.result;
    }

    /** All work runs in a transaction, and shares the sync of the disk. */
    @Override
    public <T extends @Nullable Object> CompletableFuture<T> transact(Work<T> work) {
        return submit(work);
    }

    private void next() {
        var batch = new ArrayList<Submitted<?>>();
        Submitted<?> task = tasks.poll();
        while (task != null) {
            batch.add(task);
            task = batch.size() < BATCH ? tasks.poll() : null;
        }
        if (!batch.isEmpty()) {
            run(batch);
        }
    }

    /** If the connection fails, the whole batch fails: data that was not synced may be lost. */
    private void run(List<Submitted<?>> batch) {
        try {
            if (isClosed) {
                throw new IllegalStateException("the store has been closed");
            }
            Connection connection = file.open();
            for (Submitted<?> task : batch) {
                task.run(connection);
            }
            // Syncs the file to the disk. Also after reads: another process may have committed data that is not synced.
            try (Statement statement = connection.createStatement()) {
                statement.execute("CHECKPOINT SYNC");
            }
            batch.forEach(Submitted::succeed);
        } catch (Throwable e) {
            Throwable reason = e instanceof SQLException failure ? file.explain(failure) : e;
            batch.forEach(task -> task.result.completeExceptionally(reason));
            file.drop();
        }
    }

    @Override
    public void close() {
        try {
            thread.execute(() -> {
                isClosed = true;
                try {
                    file.close();
                } catch (SQLException e) {
                    LOG.warn("The database could not be closed.", e);
                }
            });
        } catch (RejectedExecutionException e) {
            LOG.debug("Closed again.", e);
        }
        thread.shutdown();
    }

    @Override
    public boolean awaitClosed(long seconds) throws InterruptedException {
        return thread.awaitTermination(seconds, TimeUnit.SECONDS);
    }

    private static final class Submitted<T extends @Nullable Object> {

        final CompletableFuture<T> result = new CompletableFuture<>();
        private final Work<T> work;
        private @Nullable Runnable success;

        Submitted(Work<T> work) {
            this.work = work;
        }

        /** Commits or rolls back. Throws if the connection is broken. */
        void run(Connection connection) throws SQLException {
            if (result.isDone()) {
                return; // cancelled
            }
            try {
                T value = work.with(connection);
                connection.commit();
                success = () -> result.complete(value);
            } catch (SQLException | RuntimeException e) {
                connection.rollback();
                result.completeExceptionally(e);
            }
        }

        void succeed() {
            if (success != null) {
                success.run();
            }
        }
    }
}
