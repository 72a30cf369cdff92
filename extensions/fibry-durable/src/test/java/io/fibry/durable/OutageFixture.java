package io.fibry.durable;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;

/**
 * The database fails for a while. Asks fail with its reason. Afterwards everything continues without a restart of the
 * process, and no acknowledged ask or stored message is lost or repeated. {@code -Drounds=full} lets each failure last
 * for 30 seconds.
 */
@Timeout(300)
abstract class OutageFixture {

    /** Ends all other sessions. */
    static final String TERMINATE = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = 'postgres'"
            + " AND pid <> pg_backend_pid()";

    private static final String DEADLOCK = "40P01";

    private static final Duration OUTAGE = Duration.ofSeconds("full".equals(System.getProperty("rounds")) ? 30 : 2);

    private static PostgresServer server;

    private final int poolSize;
    private final int statementSeconds;

    HikariDataSource pool;
    JdbcStore store;

    OutageFixture(int poolSize, int statementSeconds) {
        this.poolSize = poolSize;
        this.statementSeconds = statementSeconds;
    }

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
        config.setMaximumPoolSize(poolSize);
        pool = new HikariDataSource(config);
        administer("DROP TABLE IF EXISTS fibry_entity, fibry_event, fibry_message, fibry_projection, fibry_reply,"
                + " fibry_slice");
        JdbcStore.createSchema(pool);
        store = JdbcStore.of(pool, statementSeconds);
        pool.getHikariConfigMXBean().setConnectionTimeout(1000); // from here on: a busy machine takes longer to begin
    }

    @AfterEach
    void close() {
        if (store != null) { // it has been opened
            store.close();
        }
        if (pool != null) {
            pool.close();
        }
    }

    interface Step {
        void run() throws Exception;
    }

    /** @param failure the text of the failure of an ask */
    static void survives(Load load, String failure, Step begin, Step end) throws Exception {
        try (load) {
            load.awaitMore(20);
            begin.run();
            try {
                load.awaitFailure(failure);
                last();
            } finally {
                end.run();
            }
            load.awaitMore(20);
            load.check();
        }
    }

    /** Returns at the end of the time for which a failure lasts. */
    static void last() throws InterruptedException {
        Thread.sleep(OUTAGE);
    }

    static PostgresServer server() {
        return server;
    }

    /**
     * Locks tables in a transaction that is open afterwards. A transaction of the load that has locked one of them in
     * another order is a deadlock, and the database ends either of the two.
     */
    static void lock(Connection transaction, String tables) throws SQLException {
        boolean isLocked = false;
        while (!isLocked) {
            try (var statement = transaction.createStatement()) {
                statement.execute("LOCK TABLE " + tables);
                isLocked = true;
            } catch (SQLException e) {
                if (!DEADLOCK.equals(e.getSQLState())) {
                    throw e;
                }
                transaction.rollback();
            }
        }
    }

    /** Executes a statement in a session of its own. */
    static void administer(String... statements) throws SQLException {
        try (Connection connection = connect("postgres");
                var statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }

    static Connection connect(String database) throws SQLException {
        String url = server.url().replaceFirst("/postgres$", "/" + database);
        return DriverManager.getConnection(url, server.user(), server.password());
    }
}
