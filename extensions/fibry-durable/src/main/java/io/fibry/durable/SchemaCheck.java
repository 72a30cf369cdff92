package io.fibry.durable;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * Checks that the existing tables are the expected ones: a conditional change requires a unique key, and a value that
 * does not fit into its column must not be discovered at the first change.
 */
final class SchemaCheck {

    private static final Set<Integer> TEXT = Set.of(Types.VARCHAR, Types.LONGVARCHAR, Types.CLOB);
    private static final Set<Integer> BYTES = Set.of(Types.BINARY, Types.VARBINARY, Types.LONGVARBINARY);

    /** The driver of PostgreSQL reports the same JDBC type for both of its types, which have different names. */
    private static final Set<Integer> TIMES = Set.of(Types.TIMESTAMP_WITH_TIMEZONE, Types.TIMESTAMP);

    private static final String TIMESTAMP_WITH_ZONE = "timestamptz";

    /** A column, and the JDBC types that are suitable for it. */
    private record Column(String name, String declaration, int length, Set<Integer> types) {

        String difference(ResultSetMetaData table, int index) throws SQLException {
            int precision = table.getPrecision(index);
            boolean isShort = length > 0 && precision > 0 && precision < length;
            return !types.contains(table.getColumnType(index)) || isShort || isWithoutZone(table, index)
                    ? "column " + name + " is " + table.getColumnTypeName(index)
                            + (length > 0 && precision > 0 ? "(" + precision + ")" : "") + ", not " + declaration
                    : "";
        }
    }

    private static boolean isWithoutZone(ResultSetMetaData table, int index) throws SQLException {
        return table.getColumnType(index) == Types.TIMESTAMP
                && !table.getColumnTypeName(index).equals(TIMESTAMP_WITH_ZONE);
    }

    private record Table(String name, List<Column> columns, List<Set<String>> keys) {}

    private static final Column TYPE = text("type", Names.TYPE_LENGTH);
    private static final Column ID = text("id", Names.ID_LENGTH);
    private static final Column VERSION = number("version");

    private static final List<Table> TABLES = List.of(
            new Table(
                    "fibry_entity",
                    List.of(TYPE, ID, number("revision"), VERSION, bytes("state"), number("state_version")),
                    List.of(Set.of("type", "id"))),
            new Table(
                    "fibry_event",
                    List.of(
                            TYPE,
                            integer("slice"),
                            number("position"),
                            ID,
                            VERSION,
                            new Column("time", "TIMESTAMP WITH TIME ZONE", 0, TIMES),
                            bytes("event")),
                    List.of(Set.of("type", "slice", "position"), Set.of("type", "id", "version"))),
            new Table(
                    "fibry_message",
                    List.of(
                            number("number"),
                            TYPE,
                            ID,
                            text("sender", Names.TYPE_LENGTH + 1 + Names.ID_LENGTH),
                            text("topic", Names.TYPE_LENGTH),
                            text("reminder", Names.TYPE_LENGTH),
                            number("due"),
                            number("attempt_at"),
                            integer("attempts"),
                            bytes("message")),
                    List.of(Set.of("number"), Set.of("type", "id", "reminder"))),
            new Table(
                    "fibry_reply",
                    List.of(TYPE, ID, text("request", Names.REQUEST_LENGTH), number("time"), bytes("reply")),
                    List.of(Set.of("type", "id", "request"))),
            new Table("fibry_slice", List.of(integer("slice"), number("position")), List.of(Set.of("slice"))),
            new Table(
                    "fibry_projection",
                    List.of(
                            text("name", Names.TYPE_LENGTH),
                            integer("slice"),
                            TYPE,
                            number("position"),
                            text("owner", Schema.OWNER_LENGTH),
                            new Column("lease", "TIMESTAMP WITH TIME ZONE", 0, TIMES)),
                    List.of(Set.of("name", "slice"))),
            new Table("fibry_schema", List.of(integer("version")), List.of(Set.of("version"))));

    /** An index that is not unique. Without it, statements that are executed all the time read the whole table. */
    private record Index(String name, String table, List<String> columns) {

        String statement() {
            return "CREATE INDEX " + name + " ON " + table + " (" + String.join(", ", columns) + ")";
        }
    }

    private static final List<Index> INDEXES = List.of(
            new Index("fibry_message_due", "fibry_message", List.of("type", "id", "due", "number")),
            new Index("fibry_message_attempt", "fibry_message", List.of("type", "attempt_at")),
            new Index("fibry_reply_time", "fibry_reply", List.of("type", "time")));

    private SchemaCheck() {}

    private static Column text(String name, int length) {
        return new Column(name, "VARCHAR(" + length + ")", length, TEXT);
    }

    private static Column number(String name) {
        return new Column(name, "BIGINT", 0, Set.of(Types.BIGINT));
    }

    private static Column bytes(String name) {
        return new Column(name, "BYTEA", 0, BYTES);
    }

    private static Column integer(String name) {
        return new Column(name, "INTEGER", 0, Set.of(Types.INTEGER));
    }

    /** Returns whether all tables exist, and all rows of slices. */
    static boolean exists(Connection connection, int timeout) throws SQLException {
        for (Table table : TABLES) {
            if (!exists(connection, table.name, timeout)) {
                return false;
            }
        }
        return slices(connection, timeout) == Slices.COUNT;
    }

    /** Returns the version of the tables; 0 if it is not stored, or cannot be read. */
    static int version(Connection connection, int timeout) throws SQLException {
        return exists(connection, "fibry_schema", timeout)
                ? number(connection, "SELECT COALESCE(MAX(version), 0) FROM fibry_schema", timeout)
                : 0;
    }

    private static int slices(Connection connection, int timeout) throws SQLException {
        return number(connection, "SELECT COUNT(*) FROM fibry_slice", timeout);
    }

    private static int number(Connection connection, String query, int timeout) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.setQueryTimeout(timeout);
            try (ResultSet rows = statement.executeQuery(query)) {
                rows.next();
                return rows.getInt(1);
            }
        }
    }

    private static boolean exists(Connection connection, String table, int timeout) {
        try (Statement statement = connection.createStatement()) {
            statement.setQueryTimeout(timeout);
            statement.executeQuery("SELECT 1 FROM " + table + " WHERE 1 = 0").close();
            return true;
        } catch (SQLException e) {
            return false; // any other reason also fails the next statement, which reports it
        }
    }

    /** @throws SQLException if a table is missing or differs; the message has the remedy */
    static void check(Connection connection, int timeout) throws SQLException {
        if (connection.isReadOnly()) {
            throw new SQLException("the connections of the data source are read-only");
        }
        int version = version(connection, timeout);
        if (version != 0 && version != Schema.VERSION) {
            throw Schema.mismatch(version, Schema.VERSION);
        }
        for (Table table : TABLES) {
            if (!exists(connection, table.name, timeout)) {
                throw new SQLException("the table " + table.name + " does not exist or cannot be read. Execute the"
                        + " statements of " + Schema.FILE + ", which is in the jar of fibry-durable, or call"
                        + " JdbcStore.createSchema");
            }
        }
        if (version == 0) {
            throw Schema.mismatch(0, Schema.VERSION);
        }
        for (Table table : TABLES) {
            check(connection, table, timeout);
        }
        int slices = slices(connection, timeout);
        if (slices != Slices.COUNT) {
            throw new SQLException("the table fibry_slice has " + slices + " rows instead of " + Slices.COUNT
                    + ". The statements of " + Schema.FILE + " insert those that are missing");
        }
    }

    private static void check(Connection connection, Table table, int timeout) throws SQLException {
        List<String> differences = new ArrayList<>();
        try (Statement statement = connection.createStatement()) {
            statement.setQueryTimeout(timeout);
            try (ResultSet none = statement.executeQuery("SELECT * FROM " + table.name + " WHERE 1 = 0")) {
                addDifferences(none.getMetaData(), table, differences);
            }
        }
        TableIndexes indexes = TableIndexes.read(connection, table.name);
        for (Set<String> key : table.keys) {
            if (!indexes.hasUnique(key)) {
                differences.add("it has no unique key of " + String.join(", ", names(table, key)));
            }
        }
        if (!differences.isEmpty()) {
            throw new SQLException("the existing table " + table.name + " cannot be used: "
                    + String.join("; ", differences) + ". Rename it, and create the one of " + Schema.FILE);
        }
        for (Index index : INDEXES) {
            if (index.table.equals(table.name) && !indexes.has(index.columns)) {
                throw new SQLException("the table " + table.name + " has no index of "
                        + String.join(", ", index.columns) + ". Execute: " + index.statement());
            }
        }
    }

    /** Returns the names of a key in the order of the columns. */
    private static List<String> names(Table table, Set<String> key) {
        return table.columns.stream().map(Column::name).filter(key::contains).toList();
    }

    private static void addDifferences(ResultSetMetaData found, Table table, List<String> differences)
            throws SQLException {
        Map<String, Integer> columns = new HashMap<>();
        for (int i = 1; i <= found.getColumnCount(); i++) {
            columns.put(found.getColumnName(i).toLowerCase(Locale.ROOT), i);
        }
        for (Column column : table.columns) {
            Integer index = columns.remove(column.name());
            String difference =
                    index == null ? "column " + column.name() + " is missing" : column.difference(found, index);
            if (!difference.isEmpty()) {
                differences.add(difference);
            }
        }
        columns.keySet().stream().sorted().forEach(name -> differences.add("column " + name + " is unknown"));
    }
}
