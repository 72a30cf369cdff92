package io.fibry.durable;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Sets the parameters of a statement in order, mostly to arrays of PostgreSQL with an element for each row. */
final class PostgresArrays {

    private final PreparedStatement statement;
    private int index = 1;

    PostgresArrays(PreparedStatement statement) {
        this.statement = statement;
    }

    /** Sets the next parameter to a time. */
    void add(Instant time) throws SQLException {
        statement.setObject(index++, time.atOffset(ZoneOffset.UTC));
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
