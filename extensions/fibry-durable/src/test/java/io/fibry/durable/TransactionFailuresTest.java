package io.fibry.durable;

import static io.fibry.durable.Transactions.run;
import static io.fibry.durable.Transactions.tellAfterCommit;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.fibry.Actor;
import io.fibry.ActorStoppedException;
import io.fibry.Overflow;
import io.fibry.ReplyActor;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/** Transactions of JDBC that fail, connections that fail, and messages that are refused. */
class TransactionFailuresTest extends TransactionsCase {

    /** A data source whose connections call a method of the same name first. */
    private DataSource changed(UnaryOperator<Connection> change) {
        return (DataSource) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {DataSource.class}, (proxy, method, arguments) -> {
                    assertEquals("getConnection", method.getName());
                    return change.apply(dataSource.getConnection());
                });
    }

    interface Interception {
        void before(String method, Object[] arguments) throws Exception;
    }

    private static Connection intercepted(Connection connection, Interception interception) {
        return (Connection) Proxy.newProxyInstance(
                Connection.class.getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, arguments) -> {
                    interception.before(method.getName(), arguments == null ? new Object[0] : arguments);
                    try {
                        return method.invoke(connection, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    @Test
    void nothingIsSentAfterAnExceptionOfAnyKind() throws Exception {
        for (Throwable failure :
                List.of(new IOException("checked"), new IllegalStateException("unchecked"), new AssertionError("x"))) {
            Throwable thrown = assertThrows(
                    failure.getClass(),
                    () -> run(dataSource, connection -> {
                        insert(connection);
                        tellAfterCommit(list, "lost");
                        if (failure instanceof Error error) {
                            throw error;
                        }
                        throw (Exception) failure;
                    }));
            assertSame(failure, thrown);
            assertEquals(0, rows(reader));
        }
        run(dataSource, connection -> null);
        assertEquals(List.of(), received);
    }

    @Test
    void nothingIsSentIfTheCommitFails() throws Exception {
        var failing = changed(connection -> intercepted(connection, (method, arguments) -> {
            if (method.equals("commit")) {
                throw new SQLException("no commit");
            }
        }));
        var failure = assertThrows(
                SQLException.class,
                () -> run(failing, connection -> {
                    insert(connection);
                    tellAfterCommit(list, "lost");
                    return null;
                }));
        assertEquals("no commit", failure.getMessage());
        assertEquals(0, rows(reader));
        assertEquals(List.of(), received);
    }

    @Test
    void theConnectionIsClosedWithItsAutoCommit() throws Exception {
        for (boolean before : List.of(true, false)) {
            var calls = new ArrayList<String>();
            var observed = changed(connection -> {
                try {
                    connection.setAutoCommit(before);
                } catch (SQLException e) {
                    throw new IllegalStateException(e);
                }
                return intercepted(connection, (method, arguments) -> {
                    if (method.equals("close")) {
                        calls.add("" + connection.getAutoCommit());
                    }
                });
            });
            assertFalse(run(observed, Connection::getAutoCommit));
            assertThrows(
                    IOException.class,
                    () -> run(observed, connection -> {
                        throw new IOException();
                    }));
            assertEquals(List.of("" + before, "" + before), calls);
        }
    }

    /** To enable auto-commit would commit. */
    @Test
    void aFailedRollbackNeverCommits() throws Exception {
        var broken = changed(connection -> intercepted(connection, (method, arguments) -> {
            if (method.equals("rollback")) {
                throw new SQLException("no rollback");
            }
        }));
        var failure = assertThrows(
                IOException.class,
                () -> run(broken, connection -> {
                    insert(connection);
                    throw new IOException("the reason");
                }));
        assertEquals("no rollback", failure.getSuppressed()[0].getMessage());
        assertEquals(0, rows(reader));
    }

    @Test
    void afterTheCommitAConnectionThatCannotBeReleasedIsNoFailure() throws Exception {
        var broken = changed(connection -> intercepted(connection, (method, arguments) -> {
            if (method.equals("setAutoCommit") && arguments[0].equals(true)) {
                throw new SQLException("cannot be released");
            }
        }));
        String result = run(broken, connection -> {
            insert(connection);
            tellAfterCommit(list, "sent");
            return "result";
        });
        assertEquals("result", result);
        assertEquals(List.of("sent"), received);
        assertEquals(1, rows(reader));
    }

    @Test
    void aRefusedMessageDoesNotAffectTheOthers() throws Exception {
        var release = new CountDownLatch(1);
        var begun = new CountDownLatch(1);
        ReplyActor<String, Void> stopped = system.actor("stopped").newActorWithReturn(message -> null);
        stopped.close();
        Actor<String> full = system.actor("full").bounded(1, Overflow.FAIL).newActor(message -> {
            begun.countDown();
            release.await();
        });
        full.tell("runs");
        begun.await();
        full.tell("waits");
        run(dataSource, connection -> {
            insert(connection);
            tellAfterCommit(stopped, "refused");
            tellAfterCommit(full, "refused");
            tellAfterCommit(
                    new Recorder(message -> {
                        throw new AssertionError("any");
                    }),
                    "refused");
            tellAfterCommit(list, "sent");
            return null;
        });
        assertEquals(List.of("sent"), received);
        assertEquals(1, rows(reader));
        release.countDown();
        assertThrows(ActorStoppedException.class, () -> stopped.tell("again"));
    }
}
