package io.fibry.durable;

import io.fibry.dispatch.Control;
import io.fibry.durable.EntityRows.Versions;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.StampedLock;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A store in a database. Tested with PostgreSQL and H2. All methods are safe for use by any thread.
 *
 * <p>The statements that create the tables are in {@code io/fibry/durable/schema-1.sql}, a resource of this module:
 * execute them with a tool for migrations, or call {@link #createSchema}.
 *
 * <p><b>Changes of several entities share a transaction</b> if they arrive while another transaction runs (group
 * commit). Each of them still succeeds or fails on its own, except for a failure of the commit.
 *
 * <p>Statements run on threads of the store. An interrupt of an entity ends its wait at once with an
 * {@link InterruptedException}, and breaks neither a connection nor a file; the outcome of a change is then unknown.
 * The timeout of a statement is 10 seconds, and that of a call 30 seconds, including the wait for a connection. After a
 * timeout, the call fails with an {@link SQLException}, and the outcome is unknown. After {@link #close} all calls
 * throw an {@link IllegalStateException}.
 *
 * <p>A type has 1 to 100 characters, and a key 1 to 500; neither may contain the character 0.
 */
public final class JdbcStore extends DurableStore implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(JdbcStore.class);

    private static final int STATEMENT_SECONDS = 10;

    /** The number of events that a transaction deletes: the timeout must suffice for large events on a slow disk. */
    private static final int DELETED_EVENTS = 1000;

    /** Includes the wait for a thread and a connection. With H2 this covers the move of a file to another process. */
    private static final int CALL_SECONDS = 30;

    private final JdbcConnections connections;
    private final GroupCommit commits;
    private final int seconds;
    private final @Nullable SimulatedProcess process;

    /** Running calls hold the read lock, and {@link #close} the write lock. The number of readers is not limited. */
    private final ReadWriteLock calls = new StampedLock().asReadWriteLock();

    private JdbcStore(JdbcConnections connections, int seconds, @Nullable SimulatedProcess process) {
        this.process = process;
        this.connections = connections;
        this.seconds = seconds;
        commits = new GroupCommit(connections, seconds);
    }

    /**
     * Returns a store in the database of a data source, which should be a pool. The settings of the data source for
     * auto-commit do not matter. {@link #close} does not close the data source. At most 16 connections are in use at a
     * time, and one for each slice that a {@link Projection} handles.
     *
     * <p>Also set the driver's network timeout, such as {@code socketTimeout} of PostgreSQL; otherwise an unreachable
     * database blocks threads. PostgreSQL ends the transaction of a suspended or unreachable process after 5 seconds.
     *
     * @throws SQLException if the database is unreachable or read-only, or if a table does not exist, has another
     *     version, or lacks a required column, key, index or row; the message has the remedy
     */
    public static JdbcStore of(DataSource dataSource) throws SQLException {
        return of(dataSource, STATEMENT_SECONDS);
    }

    static JdbcStore of(DataSource dataSource, int statementSeconds) throws SQLException {
        Objects.requireNonNull(dataSource, "dataSource");
        return new JdbcStore(new PoolConnections(dataSource), statementSeconds, null).open();
    }

    /** Returns the store of a process of {@link SimulatedDatabase}. Its statements run on the calling thread. */
    static JdbcStore simulated(SimulatedProcess process) {
        var thread = new CallerThread();
        var connections = new PoolConnections(process::connect, thread, thread);
        return new JdbcStore(connections, STATEMENT_SECONDS, process);
    }

    /** Returns the process of a simulated store; null for another store. */
    @Nullable
    SimulatedProcess process() {
        return process;
    }

    /**
     * Creates the tables that do not exist, for programs without a tool for migrations. Several processes may call it
     * at once. Requires the right to create tables only if a table is missing.
     *
     * @throws SQLException if the tables cannot be created
     */
    public static void createSchema(DataSource dataSource) throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            PoolConnections.with(connection, true, autoCommitted -> {
                Schema.create(autoCommitted, STATEMENT_SECONDS);
                return true;
            });
        }
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
     * @throws SQLException if the file cannot be opened, or has tables that cannot be used
     * @throws IllegalStateException if H2 is not on the class path, or if it has been used by this process and would
     *     listen on all addresses; the message has the remedy
     */
    public static JdbcStore h2(Path file) throws SQLException {
        requireH2();
        return new JdbcStore(new H2Connections(file, STATEMENT_SECONDS), STATEMENT_SECONDS, null).open();
    }

    private static void requireH2() {
        try {
            Class.forName("org.h2.Driver");
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException("H2 is not on the class path: add the dependency com.h2database:h2", e);
        }
    }

    private JdbcStore open() throws SQLException {
        boolean opened = false;
        try {
            this.<@Nullable Void>read(connection -> {
                SchemaCheck.check(connection, seconds);
                return null;
            });
            opened = true;
            return this;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new SQLException("interrupted while the tables were checked", e);
        } finally {
            if (!opened) {
                close();
            }
        }
    }

    // ---- rows

    @Override
    @Nullable
    Stored load(String type, String id) throws SQLException, InterruptedException {
        return read(connection -> EntityRows.load(connection, type, id, seconds));
    }

    @Override
    StoredHistory recover(String type, String id, int limit) throws SQLException, InterruptedException {
        return read(connection -> EntityRows.recover(connection, type, id, limit, seconds));
    }

    @Override
    List<StoredEvent> events(String type, String id, long after, int limit) throws SQLException, InterruptedException {
        return read(connection -> EntityRows.events(connection, type, id, after, limit, seconds));
    }

    @Override
    List<StoredMessage> messages(String type, String id, Instant now, Excluded excluded, int limit)
            throws SQLException, InterruptedException {
        return read(connection -> MessageRows.due(connection, type, id, now, excluded, limit, seconds));
    }

    @Override
    @Nullable
    StoredReply reply(String type, String id, String requestKey) throws SQLException, InterruptedException {
        return read(connection -> MessageRows.reply(connection, type, id, requestKey, seconds));
    }

    @Override
    Waiting waiting(String type, Instant now) throws SQLException, InterruptedException {
        return read(connection -> MessageRows.waiting(connection, type, now, seconds));
    }

    @Override
    ChangeCounts counts(String type) {
        return commits.counts(type);
    }

    @Override
    void write(Write write) throws SQLException, InterruptedException {
        call(() -> commits.write(write));
        notifyReceivers(write);
    }

    @Override
    long deleteEvents(String type, String id) throws SQLException, InterruptedException {
        Versions all = read(connection -> EntityRows.beforeState(connection, type, id, seconds));
        long deleted = 0;
        for (long first = all.first(); first <= all.last(); first += DELETED_EVENTS) {
            var some = new Versions(first, Math.min(first + DELETED_EVENTS - 1, all.last()));
            deleted += change(connection -> EntityRows.deleteEvents(connection, type, id, some, seconds));
        }
        return deleted;
    }

    @Override
    List<String> claim(String type, Instant now, int limit) throws SQLException, InterruptedException {
        return change(connection -> MessageRows.claim(connection, type, now, limit, seconds));
    }

    @Override
    int deleteReplies(String type, Instant before, int limit) throws SQLException, InterruptedException {
        return change(connection -> MessageRows.deleteReplies(connection, type, before, limit, seconds));
    }

    // ---- calls

    /** Runs a transaction that may take long. It is not limited in time, and {@link #close} does not wait for it. */
    <T extends @Nullable Object> T transact(JdbcConnections.Work<T> work) throws SQLException, InterruptedException {
        try {
            return connections.transactHere(work).get();
        } catch (RejectedExecutionException e) {
            throw new IllegalStateException("the store has been closed", e);
        } catch (ExecutionException e) {
            throw failure(e.getCause());
        }
    }

    /** Returns the timeout of a statement, in seconds. */
    int seconds() {
        return seconds;
    }

    <T extends @Nullable Object> T read(JdbcConnections.Work<T> work) throws SQLException, InterruptedException {
        return call(() -> connections.submit(work));
    }

    private <T extends @Nullable Object> T change(JdbcConnections.Work<T> work)
            throws SQLException, InterruptedException {
        return call(() -> connections.transact(work));
    }

    private <T extends @Nullable Object> T call(Supplier<CompletableFuture<T>> start)
            throws SQLException, InterruptedException {
        if (Thread.interrupted()) { // a completed future would not throw
            throw new InterruptedException();
        }
        Lock running = calls.readLock();
        running.lockInterruptibly();
        try {
            return await(start.get());
        } catch (RejectedExecutionException e) {
            throw new IllegalStateException("the store has been closed", e);
        } finally {
            running.unlock();
        }
    }

    private static <T extends @Nullable Object> T await(CompletableFuture<T> result)
            throws SQLException, InterruptedException {
        try {
            long nanos = Control.await(result, TimeUnit.SECONDS.toNanos(CALL_SECONDS), true, "the store");
            return result.get(nanos, TimeUnit.NANOSECONDS);
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
            case SQLException e -> MissingTable.explain(e);
            case RuntimeException e -> throw e;
            case Error e -> throw e;
            case null, default -> new SQLException("the work failed", cause);
        };
    }

    /**
     * Closes the store after the running calls. It waits at most 30 seconds for them, and as long for its connections.
     * An interrupt ends the wait.
     */
    @Override
    public void close() {
        try {
            boolean idle = calls.writeLock().tryLock(CALL_SECONDS, TimeUnit.SECONDS);
            try {
                connections.close();
            } finally {
                if (idle) {
                    calls.writeLock().unlock();
                }
            }
            if (!connections.awaitClosed(CALL_SECONDS)) {
                LOG.warn("The database has not answered for {} seconds; its connections stay open.", CALL_SECONDS);
            }
        } catch (InterruptedException e) {
            connections.close();
            Thread.currentThread().interrupt();
        }
    }
}
