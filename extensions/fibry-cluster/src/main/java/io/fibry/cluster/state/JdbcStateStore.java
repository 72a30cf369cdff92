package io.fibry.cluster.state;

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
 * States in a table of a database: {@code fibry_state(type, id, version, state)}. It is made if it is missing. Tested with PostgreSQL
 * and H2. Any thread may use it.
 *
 * <p>The work is done on threads of the store. So an interrupt ends the wait of an entity at once, with an
 * {@link InterruptedException}, and breaks neither a connection nor a file; whether a change has been stored is then not known. A
 * statement may take 10 seconds, and a call 30, also if it waits for others. Then it fails with an {@link SQLException}, and again
 * nobody knows. After {@link #close} all calls throw an {@link IllegalStateException}.
 *
 * <p>A type may have 100 characters, and an id 500.
 */
public final class JdbcStateStore implements StateStore, AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(JdbcStateStore.class);

    private static final int STATEMENT_SECONDS = 10;

    /** For a thread, a connection, and the statement. With H2 this covers the time in which a file moves to another process. */
    private static final int CALL_SECONDS = 30;

    private final Connections connections;
    private final int seconds;

    private JdbcStateStore(Connections connections, int seconds) {
        this.connections = connections;
        this.seconds = seconds;
    }

    /**
     * A store in the database of a data source, which should be a pool. Every change is one statement with auto-commit, whatever the
     * data source says. {@link #close} leaves the data source open. At most 16 connections are in use at a time.
     *
     * <p>Give the driver a time limit for its network too, such as {@code socketTimeout} of PostgreSQL, so that a database that cannot
     * be reached does not keep threads.
     *
     * @throws SQLException if the database cannot be reached, or has no such table and it cannot be made
     */
    public static JdbcStateStore of(DataSource dataSource) throws SQLException {
        return of(dataSource, STATEMENT_SECONDS);
    }

    static JdbcStateStore of(DataSource dataSource, int statementSeconds) throws SQLException {
        Objects.requireNonNull(dataSource, "dataSource");
        return new JdbcStateStore(new PoolConnections(dataSource), statementSeconds).open();
    }

    /**
     * A store in an embedded database, for one machine: H2 in a file. Several processes of the machine may use it at once. The first
     * one serves it to the others, on a port of the loopback address; when it ends, also by {@code kill -9}, another one takes it over
     * within about five seconds, or a few more on a busy machine. Calls wait for that; only those that are under way then fail. What has
     * been stored survives. While the serving process stands still, for instance in a debugger, the others wait too, and fail after 30
     * seconds.
     *
     * <p>Every change waits for the disk; changes that come at the same time wait together. The file must be on a local disk. Its
     * permissions are those that the process gives to new files: whoever can read it can read all states. This sets the system property
     * {@code h2.bindAddress} if it is not set, and every server of H2 in this process follows it.
     *
     * @param file where the database is; H2 adds {@code .mv.db} to the name, and keeps a few files beside it
     * @throws SQLException if the file cannot be opened
     * @throws IllegalStateException if H2 was used before by this process, and would listen on all addresses: the text says what to do
     */
    public static JdbcStateStore h2(Path file) throws SQLException {
        return new JdbcStateStore(new H2Connections(file, STATEMENT_SECONDS), STATEMENT_SECONDS).open();
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

    private <T extends @Nullable Object> T call(Connections.Work<T> work) throws SQLException, InterruptedException {
        if (Thread.interrupted()) { // a future that is complete would not say so
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
            result.cancel(false); // nobody waits for it any more: if it has not begun, it need not
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

    /** Ends after the calls that are under way, but waits for them 30 seconds at most. An interrupt ends the wait. */
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
