package io.fibry.examples.bank;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.fibry.durable.JdbcStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;

/**
 * The database of the bank.
 *
 * @param store the events and messages of the accounts
 * @param closePool closes the connections that the store does not own
 */
public record Database(JdbcStore store, Runnable closePool) implements AutoCloseable {

    /** Opens a PostgreSQL database, given its URL, or an H2 database, given its file. */
    public static Database open(String location) throws IOException, SQLException {
        if (location.startsWith("jdbc:")) {
            HikariDataSource pool = pool(location);
            JdbcStore.createSchema(pool);
            return new Database(JdbcStore.of(pool), pool::close);
        }
        Path file = Path.of(location).toAbsolutePath();
        Files.createDirectories(file.getParent());
        return new Database(JdbcStore.h2(file), () -> {});
    }

    private static HikariDataSource pool(String url) {
        var config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setMaximumPoolSize(20);
        return new HikariDataSource(config);
    }

    @Override
    public void close() {
        store.close();
        closePool.run();
    }
}
