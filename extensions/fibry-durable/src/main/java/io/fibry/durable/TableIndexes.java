package io.fibry.durable;

import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The indexes of a table that contain all of its rows. */
final class TableIndexes {

    private static final Logger LOG = LoggerFactory.getLogger(JdbcStore.class);

    /** The SQLSTATE of a catalog that the user may not read. */
    private static final String NO_PRIVILEGE = "42501";

    /** An index. The columns are in the order of the index. */
    private record Index(boolean isUnique, Map<Short, String> columns) {}

    /** Null if the catalog cannot be read. */
    private final @Nullable Collection<Index> indexes;

    private TableIndexes(@Nullable Collection<Index> indexes) {
        this.indexes = indexes;
    }

    /**
     * Reads the indexes of the table in the current schema if it is there; otherwise in any schema of the search path.
     * A catalog that the user may not read is not an error, because no statement of the store reads it.
     */
    static TableIndexes read(Connection connection, String table) throws SQLException {
        try {
            return new TableIndexes(indexes(connection, table));
        } catch (SQLException e) {
            if (!NO_PRIVILEGE.equals(e.getSQLState())) {
                throw e;
            }
            LOG.warn("The keys and indexes of {} cannot be checked: {}", table, e.getMessage());
            return new TableIndexes(null);
        }
    }

    private static Collection<Index> indexes(Connection connection, String name) throws SQLException {
        DatabaseMetaData database = connection.getMetaData();
        String table = database.storesUpperCaseIdentifiers() ? name.toUpperCase(Locale.ROOT) : name;
        String schema = connection.getSchema();
        try (ResultSet own = database.getTables(null, pattern(schema, database), pattern(table, database), null)) {
            if (!own.next()) {
                schema = null;
            }
        }
        Map<String, Index> indexes = new LinkedHashMap<>();
        try (ResultSet rows = database.getIndexInfo(null, schema, table, false, true)) {
            while (rows.next()) {
                String column = rows.getString("COLUMN_NAME"); // a row of statistics has none
                if (column != null && rows.getString("FILTER_CONDITION") == null) {
                    boolean isUnique = !rows.getBoolean("NON_UNIQUE");
                    String index = rows.getString("TABLE_SCHEM") + "." + rows.getString("INDEX_NAME");
                    indexes.putIfAbsent(index, new Index(isUnique, new TreeMap<>()));
                    indexes.get(index).columns.put(rows.getShort("ORDINAL_POSITION"), column.toLowerCase(Locale.ROOT));
                }
            }
        }
        return indexes.values();
    }

    private static @Nullable String pattern(@Nullable String name, DatabaseMetaData database) throws SQLException {
        return name == null ? null : name.replace("_", database.getSearchStringEscape() + "_");
    }

    /** Returns whether a unique index has exactly these columns, in any order. */
    boolean hasUnique(Set<String> columns) {
        return indexes == null
                || indexes.stream()
                        .anyMatch(index -> index.isUnique
                                && Set.copyOf(index.columns.values()).equals(columns));
    }

    /** Returns whether an index begins with these columns. */
    boolean has(List<String> columns) {
        return indexes == null
                || indexes.stream()
                        .anyMatch(index -> index.columns.size() >= columns.size()
                                && List.copyOf(index.columns.values())
                                        .subList(0, columns.size())
                                        .equals(columns));
    }
}
