package io.fibry.durable;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The connections of a {@link JdbcStore}, and the threads that use them. */
interface JdbcConnections {

    /**
     * Submits work whose statements each commit. Work whose future is cancelled before it starts may be skipped.
     *
     * @throws java.util.concurrent.RejectedExecutionException if this has been closed
     */
    <T extends @Nullable Object> CompletableFuture<T> submit(Work<T> work);

    /**
     * Submits work that runs in one transaction. When the future succeeds, the work is committed and durable. If the
     * work throws and has not committed, nothing has changed; after any other failure the outcome is unknown.
     *
     * @throws java.util.concurrent.RejectedExecutionException if this has been closed
     */
    <T extends @Nullable Object> CompletableFuture<T> transact(Work<T> work);

    /**
     * Submits a transaction as {@link #transact} does. These transactions run one after the other, in the order of the
     * calls, on one thread. A pool that returns the last connection of a thread, as HikariCP does, then uses the same
     * server process for all of them, whose caches have the data.
     */
    default <T extends @Nullable Object> CompletableFuture<T> transactSerially(Work<T> work) {
        return transact(work);
    }

    /**
     * Does the same as {@link #transact} for work that may take long. It runs on the calling thread, unless there is
     * only one connection.
     */
    default <T extends @Nullable Object> CompletableFuture<T> transactHere(Work<T> work) {
        return transact(work);
    }

    /** Closes the connections owned by the store, after the submitted work. */
    void close();

    /** Waits for the close. Returns false after the timeout, in seconds. */
    boolean awaitClosed(long seconds) throws InterruptedException;

    /** Work with a connection. It need not commit. */
    interface Work<T extends @Nullable Object> {
        T with(Connection connection) throws SQLException;

        /** Returns whether the first statements of the work begin a transaction of PostgreSQL, with its settings. */
        default boolean begins() {
            return false;
        }
    }

    /** Platform threads: drivers and H2 hold monitors while they block, which pins virtual threads before Java 24. */
    static ThreadPoolExecutor threads(String name, int count) {
        var threads = new ThreadPoolExecutor(
                count,
                count,
                10,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                Thread.ofPlatform().daemon().name(name, 1).factory());
        threads.allowCoreThreadTimeOut(true);
        return threads;
    }
}
