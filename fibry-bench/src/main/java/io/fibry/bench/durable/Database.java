package io.fibry.bench.durable;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.io.IOException;
import java.io.Reader;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HexFormat;
import java.util.Properties;

/** A database without tables. */
sealed interface Database {

    /** The size of the connection pool of each peer; this library uses at most so many connections. */
    int CONNECTIONS = 16;

    /** A file for H2. */
    record H2(Path file) implements Database {

        @Override
        public Connection connect() throws SQLException {
            return DriverManager.getConnection("jdbc:h2:" + file + ";AUTO_SERVER=TRUE", "sa", "");
        }

        @Override
        public String numbers(long count) {
            return "SYSTEM_RANGE(1, " + count + ") AS r(n)";
        }

        @Override
        public String literal(byte[] bytes) {
            return "X'" + HexFormat.of().formatHex(bytes) + "'";
        }

        @Override
        public void settle(String table) throws SQLException {
            execute("ANALYZE TABLE " + table, "CHECKPOINT SYNC");
        }

        @Override
        public void settle() throws SQLException {
            execute("ANALYZE", "CHECKPOINT SYNC");
        }
    }

    /** Returns a new connection. A file is opened before by the store, and remains open until its close. */
    Connection connect() throws SQLException;

    /** Returns a table {@code r} with the numbers 1 to {@code count} in the column {@code n}, for a query. */
    String numbers(long count);

    /** Returns a literal of the type {@code BYTEA}. */
    String literal(byte[] bytes);

    /**
     * Collects statistics about a table, and writes all data to the disk. With statistics of an empty table, PostgreSQL
     * reads all of it while it grows.
     */
    void settle(String table) throws SQLException;

    /** Collects statistics about all tables, and writes all data to the disk. */
    void settle() throws SQLException;

    /** Executes statements with auto-commit. */
    default void execute(String... statements) throws SQLException {
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }

    /** Returns the number in the only row of a query. */
    default long number(String query) throws SQLException {
        try (Connection connection = connect();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(query)) {
            rows.next();
            return rows.getLong(1);
        }
    }

    /**
     * A database of a PostgreSQL server on this machine.
     *
     * @param server the process id of the server
     */
    record Postgres(String url, String user, String password, long server) implements Database {

        /** Reads a file of {@link #write}. */
        static Postgres read(Path file) throws IOException {
            var properties = new Properties();
            try (Reader reader = Files.newBufferedReader(file)) {
                properties.load(reader);
            }
            return new Postgres(
                    properties.getProperty("url"),
                    properties.getProperty("user"),
                    properties.getProperty("password"),
                    Long.parseLong(properties.getProperty("server")));
        }

        /** Writes a file for other processes, in a folder that only the user can read. */
        void write(Path file) throws IOException {
            var properties = new Properties();
            properties.setProperty("url", url);
            properties.setProperty("user", user);
            properties.setProperty("password", password);
            properties.setProperty("server", String.valueOf(server));
            try (Writer writer = Files.newBufferedWriter(file)) {
                properties.store(writer, null);
            }
        }

        /** Deletes all tables, and writes all data to the disk: previous work does not disturb a measurement. */
        void clear() throws SQLException {
            execute("DROP SCHEMA public CASCADE", "CREATE SCHEMA public", "CHECKPOINT");
        }

        HikariDataSource pool(boolean autoCommit) {
            var config = new HikariConfig();
            config.setJdbcUrl(url);
            config.setUsername(user);
            config.setPassword(password);
            config.setAutoCommit(autoCommit);
            config.setMaximumPoolSize(CONNECTIONS);
            return new HikariDataSource(config);
        }

        @Override
        public Connection connect() throws SQLException {
            return DriverManager.getConnection(url, user, password);
        }

        @Override
        public String numbers(long count) {
            return "generate_series(1, " + count + ") AS r(n)";
        }

        @Override
        public String literal(byte[] bytes) {
            return "'\\x" + HexFormat.of().formatHex(bytes) + "'::bytea";
        }

        @Override
        public void settle(String table) throws SQLException {
            execute("VACUUM ANALYZE " + table, "CHECKPOINT");
        }

        @Override
        public void settle() throws SQLException {
            execute("VACUUM ANALYZE", "CHECKPOINT");
        }
    }
}
