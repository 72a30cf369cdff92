package io.fibry.durable;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.LongStream;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;

/** The deletion of more events than one statement may delete within its timeout. */
class DeletedEventsTest {

    /** The number of events that each statement has deleted. */
    private final List<Integer> deleted = new CopyOnWriteArrayList<>();

    private volatile boolean failing;

    private interface Call {
        Object of(String method, Object result) throws SQLException;
    }

    /** Calls a function after each method. It returns the result of the method. */
    private static <T> T watched(Class<T> type, Object target, Call call) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (self, method, args) -> {
            try {
                return call.of(method.getName(), method.invoke(target, args));
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
        }));
    }

    private DataSource dataSource() throws SQLException {
        System.setProperty("h2.bindAddress", "127.0.0.1"); // for the stores of other tests, before H2 reads it
        var database = new JdbcDataSource();
        database.setURL("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
        JdbcStore.createSchema(database);
        return watched(
                DataSource.class,
                database,
                (method, result) -> result instanceof Connection connection ? connection(connection) : result);
    }

    private Connection connection(Connection target) {
        return watched(
                Connection.class,
                target,
                (method, result) -> result instanceof PreparedStatement statement
                                && statement.toString().contains("DELETE FROM fibry_event")
                        ? statement(statement)
                        : result);
    }

    private PreparedStatement statement(PreparedStatement target) {
        return watched(PreparedStatement.class, target, (method, result) -> {
            if (method.equals("executeUpdate")) {
                if (failing && deleted.size() == 1) {
                    throw new SQLException("the connection is broken");
                }
                deleted.add((Integer) result);
            }
            return result;
        });
    }

    /** The statement that fails is rolled back. The statements before it have deleted the oldest events. */
    @Test
    void aDeletionThatFailsIsRepeated() throws Exception {
        try (JdbcStore store = JdbcStore.of(dataSource())) {
            List<byte[]> events =
                    LongStream.range(0, 2500).mapToObj(JdbcStoreCase::bytes).toList();
            byte[] state = JdbcStoreCase.bytes(0);
            store.write(new Write("t", "a", 0, 0, events, state, Outgoing.NONE));
            JdbcStoreCase.append(store, "a", 2500, 1);
            failing = true;
            assertThrows(SQLException.class, () -> store.deleteEvents("t", "a"));
            assertEquals(List.of(1000), deleted);
            assertEquals(1001, store.events("t", "a", 0, 1).getFirst().version());
            failing = false;
            assertEquals(1500, store.deleteEvents("t", "a"));
            assertEquals(List.of(1000, 1000, 500), deleted);
            assertEquals(2501, store.events("t", "a", 0, 1).getFirst().version());
            assertEquals(0, store.deleteEvents("t", "a"));
        }
    }
}
