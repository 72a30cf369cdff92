package io.fibry.durable;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.fibry.durable.ProjectionStatus.Failure;
import io.fibry.durable.ProjectionStatus.State;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class PostgresProjectionTest extends ProjectionDeliveryCase {

    private static PostgresServer server;
    private static HikariDataSource pool;

    @BeforeAll
    static void start() {
        server = PostgresServer.start();
        var config = new HikariConfig();
        config.setDataSource(server.dataSource());
        config.setMaximumPoolSize(8);
        pool = new HikariDataSource(config);
    }

    @AfterAll
    static void stop() {
        if (pool != null) {
            pool.close();
        }
        if (server != null) {
            server.close();
        }
    }

    @Override
    JdbcStore open() throws SQLException {
        JdbcStore.createSchema(pool);
        return JdbcStore.of(pool);
    }

    @Override
    void empty() throws Exception {
        execute("DROP TABLE IF EXISTS fibry_entity, fibry_event, fibry_schema, fibry_slice, fibry_projection, report,"
                + " hidden");
    }

    @Override
    Connection connect() throws SQLException {
        return server.dataSource().getConnection();
    }

    /** Each writer has a connection, and commits after a random pause: the locks of the slices order the commits. */
    @Test
    void sixtyFourConnectionsCommitInRandomOrder() throws Exception {
        start(report("r"));
        JdbcStoreCase.inParallel(64, i -> {
            try (Connection connection = connect()) {
                connection.setAutoCommit(false);
                for (int version = 0; version < 10; version++) {
                    var write = new Write(
                            "t",
                            "id" + i,
                            version,
                            version,
                            List.of(JdbcStoreCase.bytes(version)),
                            null,
                            Outgoing.NONE);
                    assertEquals(Set.of(), WriteGroup.run(connection, List.of(write), 60));
                    LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(3_000_000));
                    connection.commit();
                }
            }
        });
        awaitReport(640);
        assertReport(64, 10);
    }

    /** A lost connection is a failure of the database: it is not counted against the event. */
    @Test
    void theServerTerminatesConnections() throws Exception {
        var calls = new AtomicInteger();
        start(Projection.of("r", log(store), (connection, event) -> {
                    if (calls.incrementAndGet() % 7 == 0) {
                        terminate(connection);
                    }
                    report(connection, event);
                })
                .attempts(1, QUICK));
        for (int key = 0; key < 10; key++) {
            append("id" + key, 0, 1, 2, 3);
        }
        awaitReport(30);
        assertReport(10, 3);
    }

    private void terminate(Connection connection) throws Exception {
        try (var statement = connection.createStatement();
                var pid = statement.executeQuery("SELECT pg_backend_pid()")) {
            pid.next();
            execute("SELECT pg_terminate_backend(" + pid.getInt(1) + ")");
        }
    }

    /** The projector has finished when the session ends. */
    @Test
    void theCommitOfALostConnectionFails() throws Exception {
        append("id0", 0, 1);
        var isFirst = new AtomicInteger();
        start(Projection.of("r", log(store), (connection, event) -> {
            report(connection, event);
            if (isFirst.getAndIncrement() == 0) {
                terminate(connection);
            }
        }));
        awaitReport(1);
        assertReport(1, 1);
    }

    /** The effects are removed after the running batches have ended. */
    @Test
    void aRebuildWaitsForTheRunningBatch() throws Exception {
        var inside = new CountDownLatch(1);
        var proceed = new CountDownLatch(1);
        var isCleared = new AtomicBoolean();
        append("id0", 0, 1, 2);
        RunningProjection running = start(Projection.of("r", log(store), (connection, event) -> {
            report(connection, event);
            inside.countDown();
            proceed.await();
        }));
        inside.await();
        var rebuild = new FutureTask<Void>(() -> {
            running.rebuild(connection -> {
                isCleared.set(true);
                try (var statement = connection.createStatement()) {
                    statement.execute("DELETE FROM report");
                }
            });
            return null;
        });
        Thread.ofPlatform().start(rebuild);
        try {
            server.awaitLockWait();
            assertFalse(isCleared.get());
        } finally {
            proceed.countDown();
        }
        rebuild.get();
        awaitReport(2);
        assertReport(1, 2);
    }

    /** PostgreSQL aborts the transaction, although the projector ignores the failure of its statement. */
    @Test
    void aProjectorThatIgnoresAFailure() throws Exception {
        execute("ALTER TABLE report ADD CONSTRAINT small CHECK (event < 9)");
        append("id0", 0, 1, 2, 3, 4, 10, 6);
        RunningProjection running = start(Projection.of("r", log(store), (connection, event) -> {
                    try {
                        report(connection, event);
                    } catch (SQLException e) {
                        assertEquals("23514", e.getSQLState());
                    }
                })
                .attempts(2, QUICK));
        Failure failure = await(running, State.FAILED).failures().getFirst();
        assertEquals(5, failure.version());
        assertEquals(Map.of("id0", List.of(1L, 2L, 3L, 4L)), reported());
    }

    @Test
    void aDeferredConstraint() throws Exception {
        execute("ALTER TABLE report ADD CONSTRAINT once UNIQUE (event) DEFERRABLE INITIALLY DEFERRED");
        append("id0", 0, 1, 2, 3, 2, 5);
        RunningProjection running = start(report("r").attempts(2, QUICK));
        Failure failure = await(running, State.FAILED).failures().getFirst();
        assertEquals(4, failure.version());
        assertEquals("23505", ((SQLException) failure.cause()).getSQLState());
        assertEquals(Map.of("id0", List.of(1L, 2L, 3L)), reported());
    }

    /** The time of a batch does not include the wait for a connection. */
    @Test
    void connectionsThatTakeLong() throws Exception {
        append("id0", 0, 1, 2, 3);
        try (var slow = new SlowPool()) {
            store.close();
            store = JdbcStore.of(slow);
            start(report("r"));
            awaitReport(3);
            assertReport(1, 3);
        }
    }

    /** A wait for a connection takes longer than a batch. */
    private static final class SlowPool extends HikariDataSource {
        SlowPool() {
            setDataSource(server.dataSource());
            setMaximumPoolSize(8);
        }

        @Override
        public Connection getConnection() throws SQLException {
            LockSupport.parkNanos(150_000_000);
            return super.getConnection();
        }
    }

    @Test
    void slicesRunInParallel() throws Exception {
        String second = inAnotherSlice("id0");
        String third = inAnotherSlice("id0", second);
        var barrier = new CyclicBarrier(3);
        start(Projection.of("r", log(store), (connection, event) -> {
            report(connection, event);
            barrier.await();
        }));
        append("id0", 0, 1);
        append(second, 0, 1);
        append(third, 0, 1);
        awaitReport(3);
    }
}
