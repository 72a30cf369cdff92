package io.fibry.durable;

import static io.fibry.durable.Transactions.run;
import static io.fibry.durable.Transactions.tellAfterCommit;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.Actor;
import io.fibry.ActorRef;
import io.fibry.ReplyActor;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Messages after the commit of a transaction of JDBC. */
class TransactionsTest extends TransactionsCase {

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
