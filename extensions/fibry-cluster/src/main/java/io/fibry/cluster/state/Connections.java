package io.fibry.cluster.state;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The connections of a {@link JdbcStateStore}, and the threads that work with them. */
interface Connections {

    /**
     * Does work with a connection, on a thread of this. When the future succeeds, the work is committed. When it fails with a
     * {@link StaleStateException}, nothing has changed; with anything else nobody knows. A cancelled future need not begin.
     *
     * @throws java.util.concurrent.RejectedExecutionException if this has been closed
     */
    <T extends @Nullable Object> Future<T> submit(Work<T> work);

    /** Closes the connections that belong to the store, after the work that has been submitted. */
    void close();

    /** Whether all is closed, after a wait of at most this long. */
    boolean awaitClosed(long seconds) throws InterruptedException;

    /** Work with a connection. It does not commit. */
    interface Work<T extends @Nullable Object> {
        T with(Connection connection) throws SQLException;
    }

    /** Platform threads: drivers and H2 hold locks while they wait, which would keep the carriers of virtual threads before Java 24. */
    static ThreadPoolExecutor threads(int count) {
        var threads = new ThreadPoolExecutor(
                count,
                count,
                10,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                Thread.ofPlatform().daemon().name("fibry-store-", 1).factory());
        threads.allowCoreThreadTimeOut(true);
        return threads;
    }
}
