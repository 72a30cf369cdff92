package io.fibry.durable;

import static io.fibry.durable.Transactions.run;
import static io.fibry.durable.Transactions.tellAfterCommit;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.Actor;
import io.fibry.ActorRef;
import io.fibry.ActorStoppedException;
import io.fibry.ActorSystem;
import io.fibry.Overflow;
import io.fibry.ReplyActor;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Messages after the commit of a transaction of JDBC. */
@Timeout(60)
class TransactionsTest {

    private final ActorSystem system = ActorSystem.create();
    private final DataSource dataSource = database();

    /** Keeps the database. */
    private Connection reader;

    private final List<String> received = new ArrayList<>();
    private final ActorRef<String, Void> list = new Recorder(received::add);

    private record Recorder(Consumer<String> consumer) implements ActorRef<String, Void> {
        @Override
        public void tell(String message) {
            consumer.accept(message);
        }

        @Override
        public boolean tryTell(String message) {
            throw new UnsupportedOperationException();
        }

        @Override
        public CompletableFuture<Void> ask(String message, Duration timeout) {
            throw new UnsupportedOperationException();
        }

        @Override
        public String name() {
            return "recorder";
        }
    }

    private static DataSource database() {
        System.setProperty("h2.bindAddress", "127.0.0.1"); // for the stores of other tests, before H2 reads it
        var h2 = new JdbcDataSource();
        h2.setURL("jdbc:h2:mem:" + UUID.randomUUID());
        return h2;
    }

    @BeforeEach
    void create() throws SQLException {
        reader = dataSource.getConnection();
        execute(reader, "CREATE TABLE names (name VARCHAR(100))");
    }

    @AfterEach
    void close() throws SQLException {
        reader.close();
        system.close();
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (var statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static void insert(Connection connection) throws SQLException {
        execute(connection, "INSERT INTO names VALUES ('alice')");
    }

    private static int rows(Connection connection) throws SQLException {
        try (var statement = connection.createStatement();
                var rows = statement.executeQuery("SELECT COUNT(*) FROM names")) {
            rows.next();
            return rows.getInt(1);
        }
    }

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
    void messagesAreSentInOrderAfterTheCommitByTheCommittingThread() throws Exception {
        var threads = new ArrayList<Thread>();
        var connections = new ArrayList<Connection>();
        var visible = new ArrayList<String>();
        var witness = new Recorder(message -> {
            try {
                threads.add(Thread.currentThread());
                visible.add(rows(reader) + " " + connections.getFirst().isClosed());
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        });
        String result = run(dataSource, connection -> {
            connections.add(connection);
            insert(connection);
            tellAfterCommit(list, "one");
            tellAfterCommit(witness, "two");
            IntStream.range(0, 100).forEach(i -> tellAfterCommit(list, "" + i));
            assertEquals(List.of(), received);
            return "result";
        });
        assertEquals("result", result);
        assertEquals("one", received.getFirst());
        assertEquals(IntStream.range(0, 100).mapToObj(i -> "" + i).toList(), received.subList(1, 101));
        assertEquals(List.of(Thread.currentThread()), threads);
        assertEquals(List.of("1 true"), visible);
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

    @Test
    void allKindsOfActorsAreRecipients() throws Exception {
        var answered = new CompletableFuture<String>();
        Actor<String> actor = system.actor().newActor(answered::complete);
        ReplyActor<String, Integer> replying = system.actor().newActorWithReturn(String::length);
        var sink = system.actor().newSink(new ArrayList<String>());
        run(dataSource, connection -> {
            tellAfterCommit(replying, "a");
            tellAfterCommit(sink, "b");
            tellAfterCommit(actor, "c");
            return null;
        });
        assertEquals("c", answered.get());
    }

    @Test
    void outsideOfATransactionTheMessageHasTheRemedy() throws Exception {
        run(dataSource, connection -> null);
        assertThrows(
                IOException.class,
                () -> run(dataSource, connection -> {
                    throw new IOException();
                }));
        var failure = assertThrows(IllegalStateException.class, () -> tellAfterCommit(list, "x"));
        assertTrue(failure.getMessage().contains("Transactions.run"), failure.getMessage());
        assertTrue(failure.getMessage().contains("call tell"), failure.getMessage());
    }

    @Test
    void aMessageOrAnActorOfNullIsRefusedAtOnce() throws Exception {
        run(dataSource, connection -> {
            assertThrows(NullPointerException.class, () -> tellAfterCommit(list, null));
            assertThrows(NullPointerException.class, () -> tellAfterCommit((Actor<String>) null, "x"));
            assertThrows(NullPointerException.class, () -> tellAfterCommit((ActorRef<String, Void>) null, "x"));
            return null;
        });
        assertThrows(NullPointerException.class, () -> run(null, connection -> null));
        assertThrows(NullPointerException.class, () -> run(dataSource, null));
    }

    @Test
    void aSecondTransactionOnTheDataSourceIsRefused() throws Exception {
        assertNull(run(dataSource, connection -> {
            tellAfterCommit(list, "sent");
            var failure = assertThrows(
                    IllegalStateException.class,
                    () -> run(dataSource, inner -> {
                        tellAfterCommit(list, "never");
                        return null;
                    }));
            assertTrue(failure.getMessage().contains("pass its connection"), failure.getMessage());
            return null;
        }));
        assertEquals(List.of("sent"), received);
    }

    @Test
    void aTransactionOnAnotherDataSourceIsIndependent() throws Exception {
        assertThrows(
                IOException.class,
                () -> run(dataSource, connection -> {
                    tellAfterCommit(list, "lost");
                    run(database(), inner -> {
                        tellAfterCommit(list, "inner");
                        assertThrows(IllegalStateException.class, () -> run(dataSource, innermost -> null));
                        return null;
                    });
                    assertEquals(List.of("inner"), received);
                    tellAfterCommit(list, "lost");
                    throw new IOException();
                }));
        assertEquals(List.of("inner"), received);
        assertThrows(IllegalStateException.class, () -> tellAfterCommit(list, "x"));
    }

    @Test
    void otherThreadsAreOutside() throws Exception {
        run(dataSource, connection -> {
            for (var threads : List.of(Thread.ofPlatform(), Thread.ofVirtual())) {
                var outcome = new CompletableFuture<Void>();
                threads.start(() -> {
                    try {
                        tellAfterCommit(list, "x");
                        outcome.complete(null);
                    } catch (Throwable e) {
                        outcome.completeExceptionally(e);
                    }
                });
                var failure = assertThrows(ExecutionException.class, outcome::get);
                assertEquals(IllegalStateException.class, failure.getCause().getClass());
            }
            return null;
        });
    }

    @Test
    void aTransactionMayRunOnAVirtualThread() throws Exception {
        var done = new CompletableFuture<List<String>>();
        Thread.startVirtualThread(() -> {
            try {
                run(dataSource, connection -> {
                    insert(connection);
                    tellAfterCommit(list, "sent");
                    return null;
                });
                done.complete(received);
            } catch (Throwable e) {
                done.completeExceptionally(e);
            }
        });
        assertEquals(List.of("sent"), done.get());
    }

    @Test
    void aRollbackToASavepointKeepsTheMessages() throws Exception {
        run(dataSource, connection -> {
            var savepoint = connection.setSavepoint();
            insert(connection);
            tellAfterCommit(list, "sent");
            connection.rollback(savepoint);
            return null;
        });
        assertEquals(List.of("sent"), received);
        assertEquals(0, rows(reader));
    }

    /** The second actor usually runs on the stack of the first one. */
    @Test
    void anActorThatRunsOnTheStackOfATransactionIsNotPartOfIt() throws Exception {
        ReplyActor<String, Integer> outside = system.actor().newActorWithReturn(message -> {
            assertThrows(IllegalStateException.class, () -> tellAfterCommit(list, message));
            return run(dataSource, connection -> {
                insert(connection);
                tellAfterCommit(list, "own");
                return 1;
            });
        });
        ReplyActor<String, Integer> inside = system.actor().newActorWithReturn(message -> {
            try {
                return run(dataSource, connection -> {
                    tellAfterCommit(list, "lost");
                    outside.call(message);
                    tellAfterCommit(list, "lost");
                    throw new IOException("rolled back");
                });
            } catch (IOException e) {
                return rows(reader);
            }
        });
        for (int i = 1; i <= 20; i++) {
            assertEquals(i, inside.call("x"));
            assertEquals(List.of("own"), received);
            received.clear();
        }
    }
}
