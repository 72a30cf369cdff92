package io.fibry.durable;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.SQLException;

/** Processes that use a PostgreSQL server, and can crash. */
public final class SimulatedPostgres implements AutoCloseable {

    private final PostgresServer server;
    private final HikariDataSource pool;
    private final SimulatedDatabase database;

    private SimulatedPostgres(PostgresServer server, HikariDataSource pool) {
        this.server = server;
        this.pool = pool;
        database = SimulatedDatabase.on(pool);
    }

    /** Starts a server with the tables of the store. Skips the test if PostgreSQL is not installed. */
    public static SimulatedPostgres start() throws SQLException {
        PostgresServer server = PostgresServer.start();
        var config = new HikariConfig();
        config.setJdbcUrl(server.url() + "?socketFactory=" + YieldingSockets.class.getName());
        config.setUsername(server.user());
        config.setPassword(server.password());
        config.setMaximumPoolSize(4);
        var started = new SimulatedPostgres(server, new HikariDataSource(config));
        JdbcStore.createSchema(started.pool);
        return started;
    }

    public SimulatedDatabase database() {
        return database;
    }

    @Override
    public void close() throws SQLException {
        database.close();
        pool.close();
        server.close();
    }
}
