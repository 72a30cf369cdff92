package io.fibry.durable;

import io.fibry.ActorSystem;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;

/** A database with a table, and a recorder of messages. */
@Timeout(60)
abstract class TransactionsCase {

    final ActorSystem system = ActorSystem.create();
    final DataSource dataSource = database();
    final Recorder list = new Recorder();
    final List<String> received = list.messages();

    /** Keeps the database. */
    Connection reader;

    static DataSource database() {
        System.setProperty("h2.bindAddress", "127.0.0.1"); // for the stores of other tests, before H2 reads it
        var h2 = new JdbcDataSource();
        h2.setURL("jdbc:h2:mem:" + UUID.randomUUID());
        return h2;
    }

    @BeforeEach
    void create() throws SQLException {
        reader = dataSource.getConnection();
        execute(reader, "CREATE TABLE names (name VARCHAR(100))");
    }

    @AfterEach
    void close() throws SQLException {
        reader.close();
        system.close();
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (var statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    static void insert(Connection connection) throws SQLException {
        execute(connection, "INSERT INTO names VALUES ('alice')");
    }

    static int rows(Connection connection) throws SQLException {
        try (var statement = connection.createStatement();
                var rows = statement.executeQuery("SELECT COUNT(*) FROM names")) {
            rows.next();
            return rows.getInt(1);
        }
    }
}
