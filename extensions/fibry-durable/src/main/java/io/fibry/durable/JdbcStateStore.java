package io.fibry.durable;

import java.nio.file.Path;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A store in a database table, {@code fibry_state(type, id, version, state)}, which is created if it does not exist.
 * Tested with PostgreSQL and H2. All methods are safe for use by any thread.
 *
 * <p>Statements run on threads of the store. An interrupt of an entity ends its wait at once with an
 * {@link InterruptedException}, and breaks neither a connection nor a file; the outcome of a change is then unknown.
 * The timeout of a statement is 10 seconds, and that of a call 30 seconds, including the wait for a connection. After a
 * timeout, the call fails with an {@link SQLException}, and the outcome is unknown. After {@link #close} all calls
 * throw an {@link IllegalStateException}.
 *
 * <p>A type has at most 100 characters, and an id at most 500.
 */
public final class JdbcStateStore implements StateStore, AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(JdbcStateStore.class);

    private static final int STATEMENT_SECONDS = 10;

    /** Includes the wait for a thread and a connection. With H2 this covers the move of a file to another process. */
    private static final int CALL_SECONDS = 30;

    private final JdbcConnections connections;
    private final int seconds;

    private JdbcStateStore(JdbcConnections connections, int seconds) {
        this.connections = connections;
        this.seconds = seconds;
    }

    /**
     * Returns a store in the database of a data source, which should be a pool. Every change is one statement with
     * auto-commit, regardless of the settings of the data source. {@link #close} does not close the data source. At
     * most 16 connections are in use at a time.
     *
     * <p>Also set the driver's network timeout, such as {@code socketTimeout} of PostgreSQL; otherwise an unreachable
     * database blocks threads.
     *
     * @throws SQLException if the database is unreachable, if the table does not exist and cannot be created, or if it
     *     exists with other columns or without its key
     */
    public static JdbcStateStore of(DataSource dataSource) throws SQLException {
        return of(dataSource, STATEMENT_SECONDS);
    }

    static JdbcStateStore of(DataSource dataSource, int statementSeconds) throws SQLException {
        Objects.requireNonNull(dataSource, "dataSource");
        return new JdbcStateStore(new PoolConnections(dataSource), statementSeconds).open();
    }

    /**
     * Returns a store in an embedded H2 database for one machine. Several processes of the machine may share it. The
     * first process serves the file to the others on a port of the loopback address. When it ends, even by
     * {@code kill -9}, another process takes over within about five seconds, or slightly longer on a busy machine.
     * Calls wait meanwhile; only running calls fail. Stored states survive. While the serving process is suspended, for
     * instance in a debugger, the other processes wait and fail after 30 seconds.
     *
     * <p>Every change waits for the disk; concurrent changes share a write. The file must be on a local disk. It is
     * created with the default permissions of the process, and every user who can read it can read all states. This
     * method sets the system property {@code h2.bindAddress} if it is not set, which affects every H2 server in this
     * process.
     *
     * @param file the database file; H2 appends {@code .mv.db} to its name, and keeps a few files next to it
     * @throws SQLException if the file cannot be opened
     * @throws IllegalStateException if H2 is not on the class path, or if it has been used by this process and would
     *     listen on all addresses; the message has the remedy
     */
    public static JdbcStateStore h2(Path file) throws SQLException {
        requireH2();
        return new JdbcStateStore(new H2Connections(file, STATEMENT_SECONDS), STATEMENT_SECONDS).open();
    }

    private static void requireH2() {
        try {
            Class.forName("org.h2.Driver");
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException("H2 is not on the class path: add the dependency com.h2database:h2", e);
        }
    }

    private JdbcStateStore open() throws SQLException {
        boolean opened = false;
        try {
            call(connection -> {
                StateTable.create(connection, seconds);
                return null;
            });
            opened = true;
            return this;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new SQLException("interrupted while the table was looked for", e);
        } finally {
            if (!opened) {
                close();
            }
        }
    }

    /**
     * {@inheritDoc}
     *
     * @throws IllegalArgumentException if the type or the id is not valid
     */
    @Override
    public @Nullable Stored load(String type, String id) throws SQLException, InterruptedException {
        StateTable.checkNames(type, id);
        return call(connection -> StateTable.load(connection, type, id, seconds));
    }

    /**
     * {@inheritDoc}
     *
     * @throws IllegalArgumentException if the type or the id is not valid
     */
    @Override
    public void save(String type, String id, long expected, byte[] state) throws SQLException, InterruptedException {
        StateTable.checkNames(type, id);
        this.<@Nullable Void>call(connection -> {
            StateTable.save(connection, type, id, expected, state, seconds);
            return null;
        });
    }

    private <T extends @Nullable Object> T call(JdbcConnections.Work<T> work)
            throws SQLException, InterruptedException {
        if (Thread.interrupted()) { // a completed future would not throw
            throw new InterruptedException();
        }
        Future<T> result;
        try {
            result = connections.submit(work);
        } catch (RejectedExecutionException e) {
            throw new IllegalStateException("the store has been closed", e);
        }
        try {
            return result.get(CALL_SECONDS, TimeUnit.SECONDS);
        } catch (TimeoutException e) {
            throw new SQLTimeoutException("no answer of the database within " + CALL_SECONDS + " seconds", e);
        } catch (ExecutionException e) {
            throw failure(e.getCause());
        } finally {
            result.cancel(false); // its result is no longer needed; skips it unless it has started
        }
    }

    private static SQLException failure(@Nullable Throwable cause) {
        return switch (cause) {
            case SQLException e -> e;
            case RuntimeException e -> throw e;
            case Error e -> throw e;
            case null, default -> new SQLException("the work failed", cause);
        };
    }

    /** Closes the store after the running calls, for which it waits at most 30 seconds. An interrupt ends the wait. */
    @Override
    public void close() {
        connections.close();
        try {
            if (!connections.awaitClosed(CALL_SECONDS)) {
                LOG.warn("The database has not answered for {} seconds; its connections stay open.", CALL_SECONDS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
