package io.fibry.durable;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Another user of the file locks its rows, closes it, or renames a table. Nothing acknowledged is lost or repeated. */
@Timeout(120)
class H2OutageTest {

    @TempDir
    private Path directory;

    private JdbcStore store;

    @BeforeEach
    void open() throws SQLException {
        store = JdbcStore.h2(directory.resolve("state"));
    }

    @AfterEach
    void close() {
        store.close();
    }

    private DataSource dataSource() {
        var dataSource = new JdbcDataSource();
        dataSource.setURL("jdbc:h2:file:" + directory.resolve("state") + ";AUTO_SERVER=TRUE");
        dataSource.setUser("sa");
        dataSource.setPassword("");
        return dataSource;
    }

    @Test
    void theRowsAreLocked() throws Exception {
        try (Connection other = dataSource().getConnection();
                var statement = other.createStatement()) {
            other.setAutoCommit(false);
            OutageFixture.survives(
                    new Ledgers(store, dataSource()),
                    "Timeout trying to lock table",
                    () -> statement.execute("SELECT 1 FROM fibry_slice FOR UPDATE"),
                    other::rollback);
        }
    }

    @ParameterizedTest
    @CsvSource({"FIBRY_EVENT", "FIBRY_SLICE"})
    void aTableIsMissingForAWhile(String table) throws Exception {
        OutageFixture.survives(
                new Ledgers(store, dataSource()),
                "the table " + table.toLowerCase(java.util.Locale.ROOT) + " is missing",
                () -> execute("ALTER TABLE " + table + " RENAME TO other"),
                () -> execute("ALTER TABLE other RENAME TO " + table));
    }

    /** The store opens it again. */
    @ParameterizedTest
    @CsvSource({"SHUTDOWN", "SHUTDOWN IMMEDIATELY"})
    void theFileIsClosed(String shutdown) throws Exception {
        try (var ledgers = new Ledgers(store, dataSource())) {
            for (int i = 0; i < 5; i++) {
                ledgers.awaitMore(10);
                execute(shutdown);
            }
            ledgers.awaitMore(10);
            ledgers.check();
        }
    }

    private void execute(String sql) throws SQLException {
        try (Connection connection = dataSource().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
