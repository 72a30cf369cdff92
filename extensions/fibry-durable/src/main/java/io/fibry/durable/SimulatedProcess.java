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
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The connections of a process that crashes after a number of steps. Each execution of a statement is a step, and a
 * commit is two: the transaction takes place between them.
 *
 * <p>In a test that controls the order of actors, others may run before a connection is taken, and never while a
 * transaction is open: no thread of the test waits for a lock of the database.
 */
final class SimulatedProcess {

    private final PoolConnections.Source database;
    private final AtomicInteger steps;
    private final Queue<Connection> idle = new ConcurrentLinkedQueue<>();
    private volatile boolean hasCrashed;

    SimulatedProcess(PoolConnections.Source database, int steps) {
        this.database = database;
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
                    yield result instanceof Statement statement ? wrap(statement) : result;
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

        private Statement wrap(Statement statement) {
            InvocationHandler handler = (self, method, arguments) -> {
                if (method.getName().startsWith("execute")) {
                    step();
                }
                return call(statement, method, arguments);
            };
            return statement instanceof PreparedStatement
                    ? proxy(PreparedStatement.class, handler)
                    : proxy(Statement.class, handler);
        }
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
