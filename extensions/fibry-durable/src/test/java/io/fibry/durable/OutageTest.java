package io.fibry.durable;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The database fails for a while. Asks fail with its reason. Afterwards everything continues without a restart of the
 * process, and no acknowledged ask or stored message is lost or repeated. {@code -Drounds=full} lets each failure last
 * for 30 seconds.
 */
@Timeout(300)
class OutageTest {

    private static final Duration OUTAGE = Duration.ofSeconds("full".equals(System.getProperty("rounds")) ? 30 : 2);

    private static PostgresServer server;

    private HikariDataSource pool;
    private JdbcStore store;

    @BeforeAll
    static void start() {
        server = PostgresServer.start();
    }

    @AfterAll
    static void stop() {
        if (server != null) {
            server.close();
        }
    }

    @BeforeEach
    void open() throws SQLException {
        var config = new HikariConfig();
        config.setDataSource(server.dataSource());
        config.setMaximumPoolSize(1);
        config.setConnectionTimeout(1000);
        pool = new HikariDataSource(config);
        administer("DROP TABLE IF EXISTS fibry_entity, fibry_event, fibry_message, fibry_reply, fibry_slice");
        JdbcStore.createSchema(pool);
        store = JdbcStore.of(pool, 1);
    }

    @AfterEach
    void close() {
        store.close();
        pool.close();
    }

    private interface Step {
        void run() throws Exception;
    }

    /** @param failure the text of the failure of an ask */
    private void survives(String failure, Step begin, Step end) throws Exception {
        try (var boxes = new Boxes(store)) {
            boxes.awaitMore(20);
            begin.run();
            try {
                boxes.awaitFailure(failure);
                Thread.sleep(OUTAGE);
            } finally {
                end.run();
            }
            boxes.awaitMore(20);
            long acknowledged = boxes.end();
            while (store.waiting(Boxes.TYPE.name(), Instant.now()).messages() > 0) {
                LockSupport.parkNanos(10_000_000);
            }
            var all = LongStream.rangeClosed(1, acknowledged).boxed().toList();
            assertEquals(all, boxes.read("sender"));
            assertEquals(all, boxes.read("receiver"));
        }
    }

    /** Executes a statement in a session of its own. */
    private static void administer(String... statements) throws SQLException {
        try (Connection connection = connect("postgres");
                var statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }

    private static Connection connect(String database) throws SQLException {
        String url = server.url().replaceFirst("/postgres$", "/" + database);
        return DriverManager.getConnection(url, server.user(), server.password());
    }

    // ---- the server

    @Test
    void theServerStops() throws Exception {
        survives("Connection is not available", server::stop, server::startAgain);
    }

    @Test
    void allConnectionsAreTerminatedAndRefused() throws Exception {
        try (Connection other = connect("template1");
                var statement = other.createStatement()) {
            survives(
                    "Connection is not available",
                    () -> {
                        statement.execute("ALTER DATABASE postgres ALLOW_CONNECTIONS false");
                        statement.execute(
                                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = 'postgres'");
                    },
                    () -> statement.execute("ALTER DATABASE postgres ALLOW_CONNECTIONS true"));
        }
    }

    @Test
    void theDatabaseIsReadOnly() throws Exception {
        String terminate = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = 'postgres'"
                + " AND pid <> pg_backend_pid()";
        survives(
                "in a read-only transaction",
                () -> administer("ALTER DATABASE postgres SET default_transaction_read_only = on", terminate),
                () -> administer(
                        "SET default_transaction_read_only = off",
                        "ALTER DATABASE postgres RESET default_transaction_read_only",
                        terminate));
    }

    /** Each statement takes longer than its timeout. */
    @Test
    void theDatabaseIsSlow() throws Exception {
        try (Connection other = connect("postgres");
                var statement = other.createStatement()) {
            other.setAutoCommit(false);
            survives(
                    "canceling statement due to user request",
                    () -> statement.execute("LOCK TABLE fibry_entity, fibry_message"),
                    other::rollback);
        }
    }

    // ---- the pool

    @Test
    void thePoolIsExhausted() throws Exception {
        var held = new Connection[1];
        survives(
                "Connection is not available",
                () -> {
                    while (held[0] == null) {
                        try {
                            held[0] = pool.getConnection();
                        } catch (SQLException e) {
                            assertTrue(e.getMessage().contains("Connection is not available"), e.getMessage());
                        }
                    }
                },
                () -> held[0].close());
    }

    // ---- the tables

    @ParameterizedTest
    @CsvSource({"fibry_entity", "fibry_message", "fibry_reply"})
    void aTableIsMissingForAWhile(String table) throws Exception {
        survives(
                "relation \"" + table + "\" does not exist",
                () -> administer("ALTER TABLE " + table + " RENAME TO other"),
                () -> administer("ALTER TABLE other RENAME TO " + table));
    }

    @ParameterizedTest
    @CsvSource({"fibry_entity", "fibry_event", "fibry_message", "fibry_reply", "fibry_slice"})
    void aTableIsMissingAtTheStart(String table) throws Exception {
        administer("DROP TABLE " + table);
        assertEquals(
                "the table " + table + " does not exist or cannot be read. Execute the statements of"
                        + " io/fibry/durable/schema-1.sql, which is in the jar of fibry-durable, or call"
                        + " JdbcStore.createSchema",
                refusal());
        JdbcStore.createSchema(pool);
        JdbcStore.of(pool).close();
    }

    /** A schema of a version with a column more or less. */
    @ParameterizedTest
    @CsvSource({
        "fibry_entity, DROP COLUMN state, column state is missing",
        "fibry_message, DROP COLUMN attempts, column attempts is missing",
        "fibry_reply, DROP COLUMN time, column time is missing",
        "fibry_message, ADD COLUMN priority INTEGER, column priority is unknown"
    })
    void anotherVersionOfTheSchema(String table, String change, String difference) throws Exception {
        administer("ALTER TABLE " + table + " " + change);
        assertEquals(
                "the existing table " + table + " cannot be used: " + difference
                        + ". Rename it, and create the one of io/fibry/durable/schema-1.sql",
                refusal());
    }

    private String refusal() {
        return assertThrows(SQLException.class, () -> JdbcStore.of(pool)).getMessage();
    }
}
