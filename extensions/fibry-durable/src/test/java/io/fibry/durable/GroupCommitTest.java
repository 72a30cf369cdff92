package io.fibry.durable;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.Metric;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Runs the transactions of a {@link GroupCommit} one by one. */
@Timeout(60)
class GroupCommitTest {

    @TempDir
    private Path directory;

    private H2File file;
    private Connection database;
    private ManualConnections connections;
    private GroupCommit commits;

    @BeforeEach
    void open() throws SQLException {
        file = new H2File(directory.resolve("state"), 10);
        database = file.open();
        connections = new ManualConnections(database);
        commits = new GroupCommit(connections, 10);
    }

    @AfterEach
    void close() throws SQLException {
        file.close();
    }

    private CompletableFuture<@Nullable Void> write(String id, long expected) {
        return commits.write(new Write("t", id, expected, expected, List.of(new byte[] {1}), null, Outgoing.NONE));
    }

    private void submit(String id, long expected) {
        CompletableFuture<?> unused = write(id, expected);
    }

    private static Throwable failure(CompletableFuture<@Nullable Void> result) {
        return assertThrows(ExecutionException.class, result::get).getCause();
    }

    @Test
    void changesShareTheNextTransaction() {
        CompletableFuture<@Nullable Void> a = write("a", 0);
        CompletableFuture<@Nullable Void> b = write("b", 0);
        CompletableFuture<@Nullable Void> c = write("c", 0);
        connections.runNext();
        assertTrue(a.isDone());
        assertFalse(b.isDone() || c.isDone());
        CompletableFuture<@Nullable Void> late = write("late", 0); // the second transaction has been submitted
        connections.runNext();
        assertTrue(b.isDone() && c.isDone());
        assertFalse(late.isDone());
        connections.runNext();
        assertTrue(late.isDone());
        assertEquals(3, connections.committed);
        assertTrue(connections.waiting.isEmpty());
        submit("a", 1);
        connections.runNext();
        assertEquals(4, connections.committed);
    }

    @Test
    void aGroupIsLimited() {
        submit("first", 0);
        for (int i = 0; i < 300; i++) {
            submit("id" + i, 0);
        }
        connections.runNext();
        connections.runNext();
        connections.runNext();
        assertEquals(3, connections.committed);
        assertTrue(connections.waiting.isEmpty());
    }

    @Test
    void aStaleChangeFailsAlone() {
        submit("first", 0);
        CompletableFuture<@Nullable Void> stale = write("a", 7);
        CompletableFuture<@Nullable Void> other = write("b", 0);
        connections.runNext();
        connections.runNext();
        assertInstanceOf(StaleStateException.class, failure(stale));
        other.join();
        assertEquals(2, connections.committed);
    }

    @Test
    void storedChangesAreCounted() {
        submit("first", 0);
        submit("a", 7);
        submit("b", 0);
        submit("c", 0);
        connections.runNext();
        connections.runNext();
        List<Double> counts =
                commits.counts("t").metrics().stream().map(Metric::value).toList();
        assertEquals(List.of(3.0, 2.0), counts.subList(0, 2));
        assertTrue(counts.getLast() > 0);
    }

    /** Two owners create an entity: the key is a duplicate, and the transaction fails. */
    @Test
    void afterAFailureEachChangeIsRepeated() {
        submit("a", 0);
        connections.runNext();
        submit("first", 0);
        CompletableFuture<@Nullable Void> duplicate = write("a", 0);
        CompletableFuture<@Nullable Void> other = write("b", 0);
        CompletableFuture<@Nullable Void> later = write("a", 1);
        connections.runNext(); // the first
        connections.runNext(); // the group, which fails
        assertFalse(duplicate.isDone() || other.isDone() || later.isDone());
        connections.runNext();
        connections.runNext();
        connections.runNext();
        assertInstanceOf(StaleStateException.class, failure(duplicate));
        other.join();
        later.join();
        assertTrue(connections.waiting.isEmpty());
        submit("c", 0);
        connections.runNext();
        assertTrue(connections.waiting.isEmpty());
    }

    /** The outcome is unknown: no change is repeated. */
    @Test
    void afterAFailureOfTheCommitAllChangesFail() {
        submit("first", 0);
        CompletableFuture<@Nullable Void> a = write("a", 0);
        CompletableFuture<@Nullable Void> b = write("b", 0);
        connections.runNext();
        connections.failCommit = true;
        connections.runNext();
        connections.failCommit = false;
        assertEquals("commit", failure(a).getMessage());
        assertEquals("commit", failure(b).getMessage());
        assertTrue(connections.waiting.isEmpty());
        CompletableFuture<@Nullable Void> later = write("c", 0);
        connections.runNext();
        later.join();
    }

    @Test
    void aCancelledChangeIsSkipped() throws SQLException {
        submit("first", 0);
        CompletableFuture<@Nullable Void> cancelled = write("a", 0);
        cancelled.cancel(false);
        CompletableFuture<@Nullable Void> other = write("b", 0);
        connections.runNext();
        connections.runNext();
        other.join();
        assertEquals(null, EntityRows.load(database, "t", "a", 10));
    }

    @Test
    void afterTheCloseAllChangesFail() {
        submit("first", 0);
        CompletableFuture<@Nullable Void> waiting = write("a", 0);
        connections.isClosed = true;
        connections.runNext();
        assertEquals("the store has been closed", failure(waiting).getMessage());
        assertEquals("the store has been closed", failure(write("b", 0)).getMessage());
    }

    /** For instance, no thread can be created. */
    @Test
    void anErrorBeforeATransactionFailsTheWaitingChanges() {
        connections.error = new OutOfMemoryError("no thread");
        CompletableFuture<@Nullable Void> first = write("a", 0);
        assertInstanceOf(OutOfMemoryError.class, failure(first));
        connections.error = null;
        submit("b", 0);
        CompletableFuture<@Nullable Void> waiting = write("c", 0);
        connections.error = new OutOfMemoryError("no thread");
        connections.runNext();
        assertInstanceOf(OutOfMemoryError.class, failure(waiting));
        connections.error = null;
        CompletableFuture<@Nullable Void> later = write("d", 0);
        connections.runNext();
        later.join();
    }

    @Test
    void aCloseFailsAnyNumberOfWaitingChanges() {
        submit("first", 0);
        List<CompletableFuture<@Nullable Void>> waiting =
                IntStream.range(0, 20_000).mapToObj(i -> write("id" + i, 0)).toList();
        connections.isClosed = true;
        connections.runNext();
        assertTrue(waiting.stream().allMatch(CompletableFuture::isCompletedExceptionally));
    }

    /** The failure is not one of a statement: the changes are not repeated. */
    @Test
    void withoutAConnectionAllChangesFail() {
        submit("first", 0);
        CompletableFuture<@Nullable Void> a = write("a", 0);
        CompletableFuture<@Nullable Void> b = write("b", 0);
        connections.runNext();
        connections.failConnection = true;
        connections.runNext();
        assertEquals("connection", failure(a).getMessage());
        assertEquals("connection", failure(b).getMessage());
        assertTrue(connections.waiting.isEmpty());
    }

    @Test
    void aGroupIsLimitedByItsBytes() {
        submit("first", 0);
        for (int i = 0; i < 6; i++) {
            CompletableFuture<?> unused = commits.write(
                    new Write("t", "id" + i, 0, 0, List.of(new byte[1 << 20]), new byte[1 << 20], Outgoing.NONE));
        }
        connections.runNext();
        connections.runNext();
        connections.runNext();
        connections.runNext();
        assertEquals(4, connections.committed);
        assertTrue(connections.waiting.isEmpty());
    }
}
