package io.fibry.durable;

import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Checks that an existing table is one that {@link StateTable} can use: a conditional change requires a unique key, and
 * a state of which a part does not fit must not be discovered at its first change.
 */
final class TableCheck {

    private static final String TABLE = "fibry_state";

    /** A column, and the JDBC types that are suitable for it. */
    private record Column(String name, String declaration, int length, Set<Integer> types) {

        String difference(ResultSetMetaData table, int index) throws SQLException {
            int precision = table.getPrecision(index);
            boolean isShort = precision > 0 && precision < length;
            return !types.contains(table.getColumnType(index)) || isShort
                    ? "column " + name + " is " + table.getColumnTypeName(index)
                            + (length > 0 && precision > 0 ? "(" + precision + ")" : "") + ", not " + declaration
                    : "";
        }
    }

    private static final Set<Integer> TEXT = Set.of(Types.VARCHAR, Types.LONGVARCHAR, Types.CLOB);
    private static final Set<Integer> BYTES = Set.of(Types.BINARY, Types.VARBINARY, Types.LONGVARBINARY);

    private static final List<Column> COLUMNS = List.of(
            new Column("type", "VARCHAR(" + StateTable.TYPE_LENGTH + ")", StateTable.TYPE_LENGTH, TEXT),
            new Column("id", "VARCHAR(" + StateTable.ID_LENGTH + ")", StateTable.ID_LENGTH, TEXT),
            new Column("version", "BIGINT", 0, Set.of(Types.BIGINT)),
            new Column("state", "BYTEA", 0, BYTES));

    private TableCheck() {}

    /** @throws SQLException if the table differs; the message has the differences */
    static void check(Connection connection, int timeout) throws SQLException {
        List<String> differences = new ArrayList<>();
        try (Statement statement = connection.createStatement()) {
            statement.setQueryTimeout(timeout);
            try (ResultSet none = statement.executeQuery("SELECT * FROM " + TABLE + " WHERE 1 = 0")) {
                checkColumns(none.getMetaData(), differences);
            }
        }
        if (!hasUniqueKey(connection)) {
            differences.add("it has no primary key (type, id)");
        }
        if (!differences.isEmpty()) {
            throw new SQLException("the existing table " + TABLE + " cannot be used: " + String.join("; ", differences)
                    + ". Rename it, so that the store can create its own: " + StateTable.CREATE);
        }
    }

    private static void checkColumns(ResultSetMetaData table, List<String> differences) throws SQLException {
        Map<String, Integer> found = new HashMap<>();
        for (int i = 1; i <= table.getColumnCount(); i++) {
            found.put(table.getColumnName(i).toLowerCase(Locale.ROOT), i);
        }
        for (Column column : COLUMNS) {
            Integer index = found.remove(column.name());
            String difference =
                    index == null ? "column " + column.name() + " is missing" : column.difference(table, index);
            if (!difference.isEmpty()) {
                differences.add(difference);
            }
        }
        found.keySet().stream().sorted().forEach(name -> differences.add("column " + name + " is unknown"));
    }

    /** Checks the table of the current schema if it is there; otherwise those that the search path may lead to. */
    private static boolean hasUniqueKey(Connection connection) throws SQLException {
        DatabaseMetaData database = connection.getMetaData();
        String table = database.storesUpperCaseIdentifiers() ? TABLE.toUpperCase(Locale.ROOT) : TABLE;
        String schema = connection.getSchema();
        try (ResultSet own = database.getTables(null, schema, table, null)) {
            if (!own.next()) {
                schema = null;
            }
        }
        Map<String, Set<String>> columnsByIndex = new HashMap<>();
        try (ResultSet rows = database.getIndexInfo(null, schema, table, true, true)) {
            while (rows.next()) {
                String column = rows.getString("COLUMN_NAME"); // a row of statistics has none
                if (column != null && rows.getString("FILTER_CONDITION") == null) {
                    columnsByIndex
                            .computeIfAbsent(
                                    rows.getString("TABLE_SCHEM") + "." + rows.getString("INDEX_NAME"),
                                    index -> new HashSet<>())
                            .add(column.toLowerCase(Locale.ROOT));
                }
            }
        }
        Set<String> key = COLUMNS.stream().limit(2).map(Column::name).collect(Collectors.toSet());
        return columnsByIndex.containsValue(key);
    }
}
