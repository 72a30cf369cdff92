package io.fibry.bench.durable;

import com.zaxxer.hikari.HikariDataSource;
import io.fibry.durable.JdbcStore;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * A store of this library with its tables.
 *
 * @param pool the connections; null with H2
 */
record FibryStore(JdbcStore store, @Nullable HikariDataSource pool) implements AutoCloseable {

    static FibryStore open(Database database) throws SQLException {
        return switch (database) {
            case Database.Postgres server -> {
                HikariDataSource pool = server.pool(true);
                JdbcStore.createSchema(pool);
                yield new FibryStore(JdbcStore.of(pool), pool);
            }
            case Database.H2 h2 -> new FibryStore(JdbcStore.h2(h2.file()), null);
        };
    }

    @Override
    public void close() {
        store.close();
        if (pool != null) {
            pool.close();
        }
    }
}
