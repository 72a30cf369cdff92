package io.fibry.durable;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class PostgresStoreTest extends MessageStoreCase {

    private static PostgresServer server;
    private static HikariDataSource pool;

    @BeforeAll
    static void start() {
        server = PostgresServer.start();
        pool = new HikariDataSource(config());
    }

    private static HikariConfig config() {
        var config = new HikariConfig();
        config.setDataSource(server.dataSource());
        config.setMaximumPoolSize(4);
        return config;
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
    void empty() throws SQLException {
        execute(
                pool,
                "DROP TABLE IF EXISTS fibry_entity, fibry_event, fibry_message, fibry_projection, fibry_reply,"
                        + " fibry_schema, fibry_slice");
    }

    @Override
    Connection connect() throws SQLException {
        return server.dataSource().getConnection();
    }

    private static void execute(DataSource dataSource, String sql) throws SQLException {
        try (var connection = dataSource.getConnection();
                var statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    @Test
    void aPoolWithoutAutoCommit() throws Exception {
        var config = config();
        config.setAutoCommit(false);
        try (var manual = new HikariDataSource(config);
                var other = JdbcStore.of(manual)) {
            save(other, "t", "a", 0, new byte[] {1});
            assertEquals(1, store.load("t", "a").revision());
            assertEquals(1, other.load("t", "a").revision());
            try (var connection = manual.getConnection()) {
                assertEquals(false, connection.getAutoCommit());
            }
        }
    }

    @Test
    void aDataSourceWithoutAPool() throws Exception {
        try (var other = JdbcStore.of(server.dataSource())) {
            save(other, "t", "a", 0, new byte[] {1});
            assertEquals(1, store.load("t", "a").revision());
        }
    }

    /** Two owners create an entity: the second one is stale, and does not fail the group. */
    @Test
    void aDuplicateCreationIsStale() throws Exception {
        append(store, "a", 0, 1);
        var duplicate = new Write("t", "a", 0, 0, List.of(bytes(2)), null, Outgoing.NONE);
        var other = new Write("t", "b", 0, 0, List.of(bytes(3)), null, Outgoing.NONE);
        try (var connection = server.dataSource().getConnection()) {
            connection.setAutoCommit(false);
            assertEquals(Set.of(duplicate), WriteGroup.run(connection, List.of(duplicate, other), 10));
            connection.commit();
        }
        assertEquals(List.of(1L), events(store, "a", 0));
        assertEquals(List.of(3L), events(store, "b", 0));
    }

    /** Two owners change the same entity in one transaction. */
    @Test
    void oneOfTwoChangesOfAnEntityIsStale() throws Exception {
        for (long version = 0; version < 3; version++) {
            var one = new Write("t", "a", version, version, List.of(bytes(10 + version)), null, Outgoing.NONE);
            var two = new Write("t", "a", version, version, List.of(bytes(20 + version)), null, Outgoing.NONE);
            try (var connection = server.dataSource().getConnection()) {
                connection.setAutoCommit(false);
                Set<Write> stale = WriteGroup.run(connection, List.of(one, two), 10);
                connection.commit();
                assertEquals(1, stale.size());
                Write stored = stale.contains(one) ? two : one;
                assertEquals(
                        List.of(ByteBuffer.wrap(stored.events().getFirst()).getLong()), events(store, "a", version));
            }
        }
        assertEquals(3, store.load("t", "a").version());
    }

    @Test
    void aGroupOfCancelledChangesIsEmpty() throws Exception {
        try (var connection = server.dataSource().getConnection()) {
            connection.setAutoCommit(false);
            var connections = new ManualConnections(connection);
            var commits = new GroupCommit(connections, 10);
            for (String id : List.of("a", "b", "c")) { // a group of one, and one of two
                commits.write(new Write("t", id, 0, 0, List.of(), bytes(1), Outgoing.NONE))
                        .cancel(false);
            }
            connections.runNext();
            connections.runNext();
            assertTrue(connections.waiting.isEmpty());
        }
        for (String id : List.of("a", "b", "c")) {
            assertNull(store.load("t", id));
        }
    }

    /**
     * The connection fails after the statements of a group, of which one change has not been cancelled. The change is
     * repeated, so the group must not have been committed.
     */
    @Test
    void theLastChangeOfAGroupIsRepeatedUncommitted() throws Exception {
        try (var connection = server.dataSource().getConnection()) {
            connection.setAutoCommit(false);
            var failing = new AtomicBoolean();
            var connections = new ManualConnections(failingAfterExecute(Connection.class, connection, failing));
            var commits = new GroupCommit(connections, 10);
            CompletableFuture<?> first = commits.write(new Write("t", "a", 0, 0, List.of(), bytes(1), Outgoing.NONE));
            CompletableFuture<?> cancelled =
                    commits.write(new Write("t", "b", 0, 0, List.of(), bytes(1), Outgoing.NONE));
            CompletableFuture<?> last = commits.write(new Write("t", "c", 0, 0, List.of(), bytes(1), Outgoing.NONE));
            connections.runNext();
            first.join();
            cancelled.cancel(false);
            failing.set(true);
            connections.runNext();
            assertFalse(last.isDone());
            failing.set(false);
            connections.runNext();
            connections.runNext();
            last.join();
        }
        assertNull(store.load("t", "b"));
        assertEquals(1, store.load("t", "c").revision());
    }

    /** Returns a connection or statement that can fail after the execution. */
    private static <T> T failingAfterExecute(Class<T> type, T target, AtomicBoolean failing) {
        InvocationHandler handler = (self, method, arguments) -> {
            Object result;
            try {
                result = method.invoke(target, arguments);
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
            if (method.getName().equals("execute") && failing.get()) {
                throw new SQLException("the connection is broken");
            }
            return result instanceof PreparedStatement statement
                    ? failingAfterExecute(PreparedStatement.class, statement, failing)
                    : result;
        };
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
    }

    /** Its session has changed a state and an event of two entities, and remains without a statement. */
    @Test
    void aSuspendedProcessDoesNotKeepItsLocks() throws Exception {
        save(store, "t", "state", 0, new byte[] {1});
        try (var suspended = server.dataSource().getConnection()) {
            suspended.setAutoCommit(false);
            var state = new Write("t", "state", 1, 0, List.of(), new byte[] {2}, Outgoing.NONE);
            assertEquals(Set.of(), WriteGroup.run(suspended, List.of(state), 10));
            save(store, "t", "state", 1, new byte[] {3});
            assertThrows(SQLException.class, suspended::commit);
        }
        try (var suspended = server.dataSource().getConnection()) {
            suspended.setAutoCommit(false);
            var event = new Write("t", "a", 0, 0, List.of(new byte[] {1}), null, Outgoing.NONE);
            assertEquals(Set.of(), WriteGroup.run(suspended, List.of(event), 10));
            append(store, "a", 0, 1);
            assertEquals(List.of(1L), events(store, "a", 0));
            assertThrows(SQLException.class, suspended::commit);
        }
    }

    @Test
    void aPoolWithAnotherIsolation() throws Exception {
        var config = config();
        config.setTransactionIsolation("TRANSACTION_REPEATABLE_READ");
        try (var strict = new HikariDataSource(config);
                var other = JdbcStore.of(strict)) {
            inParallel(8, i -> {
                for (int n = 0; n < 20; n++) {
                    append(i % 2 == 0 ? store : other, "id" + i + "-" + n, 0, n);
                }
            });
            try (var connection = strict.getConnection()) {
                assertEquals(Connection.TRANSACTION_REPEATABLE_READ, connection.getTransactionIsolation());
            }
        }
    }

    @Test
    void aReadOnlyPoolIsRefused() {
        var config = config();
        config.setReadOnly(true);
        try (var readOnly = new HikariDataSource(config)) {
            assertEquals(
                    "the connections of the data source are read-only",
                    assertThrows(SQLException.class, () -> JdbcStore.of(readOnly))
                            .getMessage());
        }
    }

    @Test
    void timesWithoutAZoneAreRefused() throws Exception {
        execute("ALTER TABLE fibry_event ALTER COLUMN time TYPE TIMESTAMP");
        String message =
                assertThrows(SQLException.class, () -> JdbcStore.of(pool)).getMessage();
        assertTrue(message.contains("column time is timestamp, not TIMESTAMP WITH TIME ZONE"), message);
    }

    /** The server terminates the connection during the commit. */
    @Test
    void theReasonOfABrokenConnectionIsReported() throws Exception {
        execute("CREATE FUNCTION terminate() RETURNS trigger AS 'BEGIN PERFORM pg_terminate_backend(pg_backend_pid());"
                + " RETURN NEW; END' LANGUAGE plpgsql");
        execute("CREATE CONSTRAINT TRIGGER terminates AFTER INSERT ON fibry_event DEFERRABLE INITIALLY DEFERRED"
                + " FOR EACH ROW EXECUTE FUNCTION terminate()");
        try {
            var e = assertThrows(SQLException.class, () -> append(store, "a", 0, 1));
            assertEquals("57P01", e.getSQLState(), e.getMessage());
        } finally {
            execute("DROP FUNCTION terminate() CASCADE");
        }
        append(store, "a", 0, 1);
    }

    /** If another transaction locks a row, the statement fails in time, and the connection remains usable. */
    @Test
    void aStatementHasATimeLimit() throws Exception {
        save(store, "t", "a", 0, new byte[] {1});
        try (var impatient = JdbcStore.of(pool, 1);
                var connection = server.dataSource().getConnection();
                var statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            statement.executeUpdate("UPDATE fibry_entity SET revision = 5 WHERE id = 'a'");
            assertThrows(SQLException.class, () -> save(impatient, "t", "a", 1, new byte[] {2}));
            connection.rollback();
            save(impatient, "t", "a", 1, new byte[] {3});
        }
        assertEquals(2, store.load("t", "a").revision());
    }

    /** A user without the permission to create tables, in a database that contains the table. */
    @Test
    void theRightToMakeTablesIsNotNecessary() throws Exception {
        execute(pool, "DROP ROLE IF EXISTS reader");
        execute(pool, "CREATE ROLE reader LOGIN PASSWORD 'secret'");
        execute(
                pool,
                "GRANT SELECT, INSERT, UPDATE ON fibry_entity, fibry_event, fibry_message, fibry_projection,"
                        + " fibry_reply, fibry_schema, fibry_slice TO reader");
        try (var limited = poolOfReader()) {
            JdbcStore.createSchema(limited);
            try (var other = JdbcStore.of(limited)) {
                save(other, "t", "a", 0, new byte[] {1});
            }
            execute("DROP TABLE fibry_entity");
            assertThrows(SQLException.class, () -> JdbcStore.createSchema(limited));
            String message = assertThrows(SQLException.class, () -> JdbcStore.of(limited))
                    .getMessage();
            assertTrue(message.startsWith("the table fibry_entity does not exist or cannot be read. "), message);
        } finally {
            execute(pool, "DROP OWNED BY reader");
            execute(pool, "DROP ROLE reader");
        }
    }

    private static HikariDataSource poolOfReader() {
        var config = new HikariConfig();
        config.setJdbcUrl(server.url());
        config.setUsername("reader");
        config.setPassword("secret");
        config.setMaximumPoolSize(1);
        return new HikariDataSource(config);
    }

    /** The check omits the keys and the indexes. */
    @Test
    void theRightToReadTheCatalogIsNotNecessary() throws Exception {
        execute(pool, "CREATE ROLE reader LOGIN PASSWORD 'secret'");
        execute(pool, "GRANT SELECT, INSERT, UPDATE ON ALL TABLES IN SCHEMA public TO reader");
        execute(pool, "REVOKE SELECT ON pg_index FROM PUBLIC");
        try (var limited = poolOfReader();
                var other = JdbcStore.of(limited)) {
            save(other, "t", "a", 0, new byte[] {1});
            execute("ALTER TABLE fibry_reply DROP COLUMN reply");
            String message = assertThrows(SQLException.class, () -> JdbcStore.of(limited))
                    .getMessage();
            assertTrue(message.contains("column reply is missing"), message);
        } finally {
            execute(pool, "GRANT SELECT ON pg_index TO PUBLIC");
            execute(pool, "DROP OWNED BY reader");
            execute(pool, "DROP ROLE reader");
        }
    }

    /** An index of some rows is not sufficient. */
    @Test
    void aPartialIndexIsRefused() throws Exception {
        execute("DROP INDEX fibry_message_attempt");
        execute("CREATE INDEX partial ON fibry_message (type, attempt_at) WHERE attempts = 0");
        String message =
                assertThrows(SQLException.class, () -> JdbcStore.of(pool)).getMessage();
        assertTrue(message.contains("has no index of type, attempt_at"), message);
    }

    /** The table is not in the first schema of the search path. */
    @Test
    void aTableOfALaterSchema() throws Exception {
        execute("CREATE SCHEMA IF NOT EXISTS first");
        var config = config();
        config.setConnectionInitSql("SET search_path = first, public");
        try (var searching = new HikariDataSource(config);
                JdbcStore found = JdbcStore.of(searching)) {
            save(found, "t", "a", 0, new byte[] {1});
        } finally {
            execute("DROP SCHEMA first");
        }
        assertEquals(1, store.load("t", "a").revision());
    }
}
