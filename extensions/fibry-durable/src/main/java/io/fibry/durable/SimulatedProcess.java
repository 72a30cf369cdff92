package io.fibry.durable;

import io.fibry.dispatch.Control;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The connections of a process that crashes after a number of steps. Each execution of a statement is a step, and a
 * commit is two: the transaction takes place between them. A statement that includes the commit is two steps, too.
 *
 * <p>In a test that controls the order of actors, others may run before a connection is taken, and never while a
 * transaction is open: no thread of the test waits for a lock of the database.
 */
final class SimulatedProcess {

    private final PoolConnections.Source database;
    private final Queue<Connection> idle;
    private final AtomicInteger steps;
    private volatile boolean hasCrashed;

    /** The processes of a database share its idle connections, whose number is limited. */
    SimulatedProcess(PoolConnections.Source database, Queue<Connection> idle, int steps) {
        this.database = database;
        this.idle = idle;
        this.steps = new AtomicInteger(steps);
    }

    boolean hasCrashed() {
        return hasCrashed;
    }

    void crash() {
        hasCrashed = true;
    }

    Connection connect() throws SQLException {
        Control control = Control.ofCurrentThread();
        if (control != null) {
            control.beforeStep();
        }
        requireAlive();
        Connection connection = idle.poll();
        return new Connected(connection == null ? database.connect() : connection).proxy;
    }

    private void requireAlive() throws SQLException {
        if (hasCrashed) {
            throw new SQLException("the process has crashed");
        }
    }

    private void step() throws SQLException {
        if (!hasCrashed && steps.getAndDecrement() == 0) {
            crash();
        }
        requireAlive();
    }

    /** After the crash, all calls fail, and the close rolls back. */
    private final class Connected implements InvocationHandler {

        final Connection proxy;
        private final Connection connection;

        Connected(Connection connection) {
            this.connection = connection;
            proxy = proxy(Connection.class, this);
        }

        @Override
        public @Nullable Object invoke(Object self, Method method, @Nullable Object @Nullable [] arguments)
                throws Throwable {
            return switch (method.getName()) {
                case "close" -> {
                    release();
                    yield null;
                }
                case "commit" -> {
                    step();
                    connection.commit();
                    step();
                    yield null;
                }
                default -> {
                    requireAlive();
                    Object result = call(connection, method, arguments);
                    yield result instanceof Statement statement ? wrap(statement, commits(arguments)) : result;
                }
            };
        }

        private void release() throws SQLException {
            if (hasCrashed) {
                if (!connection.getAutoCommit()) {
                    connection.rollback();
                }
                connection.close();
            } else {
                idle.add(connection);
            }
        }

        private Statement wrap(Statement statement, boolean commits) {
            InvocationHandler handler = (self, method, arguments) -> {
                boolean executes = method.getName().startsWith("execute");
                if (executes) {
                    step();
                }
                Object result = call(statement, method, arguments);
                if (executes && commits) {
                    step();
                }
                return result;
            };
            return statement instanceof PreparedStatement
                    ? proxy(PreparedStatement.class, handler)
                    : proxy(Statement.class, handler);
        }
    }

    /** Returns whether the SQL of a prepared statement ends with the commit. */
    private static boolean commits(@Nullable Object @Nullable [] arguments) {
        return arguments != null
                && arguments.length > 0
                && arguments[0] instanceof String sql
                && sql.endsWith("COMMIT");
    }

    private static <T> T proxy(Class<T> type, InvocationHandler handler) {
        return type.cast(
                Proxy.newProxyInstance(SimulatedProcess.class.getClassLoader(), new Class<?>[] {type}, handler));
    }

    private static @Nullable Object call(Object target, Method method, @Nullable Object @Nullable [] arguments)
            throws Throwable {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause() == null ? e : e.getCause();
        }
    }
}
