package io.fibry.durable;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import org.junit.jupiter.api.io.TempDir;

class H2ProjectionTest extends ProjectionDeliveryCase {

    @TempDir
    Path directory;

    @Override
    JdbcStore open() throws SQLException {
        return JdbcStore.h2(directory.resolve("state"));
    }

    /** The directory is new for each test. */
    @Override
    void empty() {}

    @Override
    Connection connect() throws SQLException {
        return DriverManager.getConnection(
                "jdbc:h2:file:" + directory.resolve("state") + ";AUTO_SERVER=TRUE", "sa", "");
    }
}
