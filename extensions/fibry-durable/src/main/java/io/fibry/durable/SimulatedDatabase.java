package io.fibry.durable;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;

/**
 * A database in memory for tests of durable entities, and the processes that use it, which can crash. It requires H2.
 *
 * {@snippet class = "CrashSnippets" region = "crash"}
 *
 * <p>Each call of {@link #open} begins a process: its store runs all statements on the calling thread, so the entities
 * of a {@code TestSystem} of {@code fibry-test} are durable in virtual time, and in the order that the test controls. A
 * crash rolls back the open transactions of the process. Afterwards all calls of its store fail: nothing that its
 * actors still do has an effect on the database. The test continues with a new store, and new entities.
 *
 * <p>Processes may overlap, like a node that does not know that another one has taken over its entities. All methods
 * are safe for use by any thread.
 */
public final class SimulatedDatabase implements AutoCloseable {

    private final DataSource dataSource;

    /** Whether the database exists only for this object. */
    private final boolean isOwned;

    private final Queue<Connection> idle = new ConcurrentLinkedQueue<>();

    private SimulatedDatabase(DataSource dataSource, boolean isOwned) {
        this.dataSource = dataSource;
        this.isOwned = isOwned;
    }

    /**
     * Creates a database with the tables of the store.
     *
     * @throws SQLException if the tables cannot be created
     */
    public static SimulatedDatabase create() throws SQLException {
        H2File.setBindAddress();
        var dataSource = new JdbcDataSource();
        dataSource.setURL("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1;QUERY_CACHE_SIZE=100");
        JdbcStore.createSchema(dataSource);
        return new SimulatedDatabase(dataSource, true);
    }

    /** Returns an existing database with the tables of the store. {@link #close} does not delete it. */
    static SimulatedDatabase on(DataSource dataSource) {
        return new SimulatedDatabase(dataSource, false);
    }

    /** Returns the database itself, for further tables and for checks. Its connections never crash. */
    public DataSource dataSource() {
        return dataSource;
    }

    /** Returns the store of a new process, which does not crash unless {@link #crash} is called. */
    public JdbcStore open() {
        return open(Integer.MAX_VALUE);
    }

    /**
     * Returns the store of a new process that crashes after a number of steps. Each statement is a step. A commit is
     * two steps: after a crash at the first, nothing is stored; after one at the second, everything is stored, but the
     * process does not know it.
     *
     * @param steps the number of steps that succeed
     * @throws IllegalArgumentException if the number is negative
     */
    public JdbcStore open(int steps) {
        if (steps < 0) {
            throw new IllegalArgumentException("the number of steps must not be negative: " + steps);
        }
        return JdbcStore.simulated(new SimulatedProcess(dataSource::getConnection, idle, steps));
    }

    /**
     * Lets the process of a store crash.
     *
     * @throws IllegalArgumentException if the store is not one of a simulated database
     */
    public void crash(JdbcStore store) {
        process(store).crash();
    }

    /**
     * Returns whether the process of a store has crashed.
     *
     * @throws IllegalArgumentException if the store is not one of a simulated database
     */
    public boolean hasCrashed(JdbcStore store) {
        return process(store).hasCrashed();
    }

    private static SimulatedProcess process(JdbcStore store) {
        SimulatedProcess process = store.process();
        if (process == null) {
            throw new IllegalArgumentException("the store is not one of a simulated database");
        }
        return process;
    }

    /**
     * Deletes the database. The stores need not be closed.
     *
     * @throws SQLException if the database fails
     */
    @Override
    public void close() throws SQLException {
        for (Connection connection = idle.poll(); connection != null; connection = idle.poll()) {
            connection.close();
        }
        if (isOwned) {
            delete();
        }
    }

    private void delete() throws SQLException {
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("SHUTDOWN IMMEDIATELY");
        }
    }
}
