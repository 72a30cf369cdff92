package io.fibry.durable;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Sets the next parameters of a statement to arrays of PostgreSQL, with an element for each row. */
final class PostgresArrays {

    private final PreparedStatement statement;
    private int index;

    PostgresArrays(PreparedStatement statement) {
        this(statement, 1);
    }

    /** The index is that of the first array. */
    PostgresArrays(PreparedStatement statement, int index) {
        this.statement = statement;
        this.index = index;
    }

    <T> void add(String type, List<T> rows, Function<T, @Nullable Object> element) throws SQLException {
        set(type, rows.stream().map(element).toArray());
    }

    <T> void addBytes(List<T> rows, Function<T, byte @Nullable []> element) throws SQLException {
        set("bytea", rows.stream().map(element).toArray(byte[][]::new));
    }

    private void set(String type, @Nullable Object[] elements) throws SQLException {
        statement.setArray(index++, statement.getConnection().createArrayOf(type, elements));
    }
}
