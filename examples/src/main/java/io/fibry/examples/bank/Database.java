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
 * @param pool connections for other tables
 */
public record Database(JdbcStore store, HikariDataSource pool) implements AutoCloseable {

    /** Opens a PostgreSQL database, given its URL, or an H2 database, given its file. */
    public static Database open(String location) throws IOException, SQLException {
        if (location.startsWith("jdbc:")) {
            var pool = pool(location);
            JdbcStore.createSchema(pool);
            return new Database(JdbcStore.of(pool), pool);
        }
        Path file = Path.of(location).toAbsolutePath();
        Files.createDirectories(file.getParent());
        JdbcStore store = JdbcStore.h2(file);
        return new Database(store, pool("jdbc:h2:file:" + file + ";AUTO_SERVER=TRUE;USER=sa"));
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
        pool.close();
    }
}
