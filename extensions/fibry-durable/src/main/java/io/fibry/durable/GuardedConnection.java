package io.fibry.durable;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A connection for code of the program inside a transaction of the store. It refuses to end the transaction, and any
 * use after {@link #close}. A {@code close} of the connection has no effect.
 */
final class GuardedConnection implements InvocationHandler, AutoCloseable {

    private static final Set<String> ENDS =
            Set.of("commit", "rollback", "abort", "setAutoCommit", "setTransactionIsolation");

    private final Connection connection;
    private final Connection guarded;
    private volatile boolean isClosed;

    GuardedConnection(Connection connection) {
        this.connection = connection;
        guarded = (Connection) Proxy.newProxyInstance(
                GuardedConnection.class.getClassLoader(), new Class<?>[] {Connection.class}, this);
    }

    Connection connection() {
        return guarded;
    }

    /** Ends the use by the program. */
    @Override
    public void close() {
        isClosed = true;
    }

    @Override
    public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments) throws Throwable {
        if (isClosed && method.getDeclaringClass() != Object.class) {
            throw new SQLException("the transaction of this connection has ended");
        }
        if (method.getName().equals("close")) {
            return null;
        }
        boolean isToSavepoint = arguments != null && method.getName().equals("rollback");
        if (ENDS.contains(method.getName()) && !isToSavepoint) {
            throw new SQLException(
                    method.getName() + " is not possible: the projection commits the transaction with its position");
        }
        try {
            return method.invoke(connection, arguments);
        } catch (InvocationTargetException e) {
            throw e.getTargetException();
        }
    }
}
