package io.fibry.durable;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class PostgresStoreTest extends JdbcStoreCase {

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
        execute(pool, "DROP TABLE IF EXISTS fibry_entity, fibry_event, fibry_slice");
    }

    @Override
    void execute(String sql) throws SQLException {
        execute(pool, sql);
    }

    @Override
    List<Long> query(String sql) throws SQLException {
        try (var connection = server.dataSource().getConnection();
                var statement = connection.createStatement();
                var rows = statement.executeQuery(sql)) {
            List<Long> numbers = new ArrayList<>();
            while (rows.next()) {
                numbers.add(rows.getLong(1));
            }
            return numbers;
        }
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
            assertEquals(1, store.load("t", "a").version());
            assertEquals(1, other.load("t", "a").version());
            try (var connection = manual.getConnection()) {
                assertEquals(false, connection.getAutoCommit());
            }
        }
    }

    @Test
    void aDataSourceWithoutAPool() throws Exception {
        try (var other = JdbcStore.of(server.dataSource())) {
            save(other, "t", "a", 0, new byte[] {1});
            assertEquals(1, store.load("t", "a").version());
        }
    }

    /** If another transaction locks a row, the statement fails in time, and the connection remains usable. */
    @Test
    void aStatementHasATimeLimit() throws Exception {
        save(store, "t", "a", 0, new byte[] {1});
        try (var impatient = JdbcStore.of(pool, 1);
                var connection = server.dataSource().getConnection();
                var statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            statement.executeUpdate("UPDATE fibry_entity SET version = 5 WHERE id = 'a'");
            assertThrows(SQLException.class, () -> save(impatient, "t", "a", 1, new byte[] {2}));
            connection.rollback();
            save(impatient, "t", "a", 1, new byte[] {3});
        }
        assertEquals(2, store.load("t", "a").version());
    }

    /** A user without the permission to create tables, in a database that contains the table. */
    @Test
    void theRightToMakeTablesIsNotNecessary() throws Exception {
        execute(pool, "DROP ROLE IF EXISTS reader");
        execute(pool, "CREATE ROLE reader LOGIN PASSWORD 'secret'");
        execute(pool, "GRANT SELECT, INSERT, UPDATE ON fibry_entity, fibry_event, fibry_slice TO reader");
        var config = new HikariConfig();
        config.setJdbcUrl(server.url());
        config.setUsername("reader");
        config.setPassword("secret");
        config.setMaximumPoolSize(1);
        try (var limited = new HikariDataSource(config)) {
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
        assertEquals(1, store.load("t", "a").version());
    }
}
