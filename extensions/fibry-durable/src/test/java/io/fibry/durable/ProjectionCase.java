package io.fibry.durable;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.ActorSystem;
import io.fibry.Metric;
import io.fibry.durable.ProjectionStatus.Failure;
import io.fibry.durable.ProjectionStatus.State;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** The contract of projections whose effects are committed together with their position. */
abstract class ProjectionCase extends ProjectionFixture {

    @Test
    void continuesAfterTheLastEvent() throws Exception {
        append("id0", 0, 1, 2);
        RunningProjection first = start(report("r"));
        awaitReport(2);
        append("id0", 2, 3); // found without anything but the poll
        append("id1", 0, 1, 2, 3);
        awaitReport(6);
        first.close();
        assertEquals(State.CLOSED, first.status().state());
        assertEquals(6, first.status().events());
        append("id0", 3, 4);
        append("id1", 3, 4);
        start(report("r"));
        awaitReport(8);
        assertReport(2, 4);
    }

    /** More events than a batch has, in one slice. */
    @Test
    void oneKeyWithManyEvents() throws Exception {
        append("id0", 0, LongStream.range(0, 1300).toArray());
        start(report("r"));
        awaitReport(1300);
        assertReport(1, 1300);
    }

    /**
     * Two nodes share the projection while writers use both stores. Seen to skip events without the locks of the
     * slices, and to repeat events without the lock of the position.
     */
    @Test
    void sixtyFourWritersAndTwoNodes() throws Exception {
        try (JdbcStore other = open()) {
            start(report("r"));
            try (var second =
                    Projection.of("r", log(other), ProjectionFixture::report).start()) {
                JdbcStoreCase.inParallel(64, i -> {
                    for (int version = 0; version < 10; version++) {
                        JdbcStoreCase.append(i % 2 == 0 ? store : other, "id" + i, version, version);
                    }
                });
                awaitReport(640);
                assertReport(64, 10);
                await(second, status -> status.lag().isZero());
            }
        }
        assertReport(64, 10);
    }

    /** The transaction of a projector that throws leaves nothing behind. */
    @Test
    void failuresAtRandom() throws Exception {
        start(Projection.of("r", log(store), (connection, event) -> {
                    report(connection, event);
                    if (ThreadLocalRandom.current().nextInt(4) == 0) {
                        throw new IOException("at random");
                    }
                })
                .attempts(1000, QUICK));
        for (int key = 0; key < 20; key++) {
            append("id" + key, 0, 1, 2, 3, 4, 5);
        }
        awaitReport(100);
        assertReport(20, 5);
    }

    @Test
    void anEventThatAlwaysFails() throws Exception {
        var isFixed = new AtomicBoolean();
        var calls = new AtomicInteger();
        String other = inAnotherSlice("bad");
        append("bad", 0, 1, 2, 66, 4);
        append(other, 0, 1);
        RunningProjection running = start(Projection.of("r", log(store), (connection, event) -> {
                    report(connection, event);
                    if (event.event() == 66 && !isFixed.get()) {
                        calls.incrementAndGet();
                        throw new IOException("refused");
                    }
                })
                .attempts(3, QUICK));
        ProjectionStatus status = await(running, State.FAILED);
        Failure failure = status.failures().getFirst();
        assertEquals(1, status.failures().size());
        assertEquals("bad", failure.key());
        assertEquals(3, failure.version());
        assertEquals(3, failure.attempts());
        assertTrue(failure.isStopped());
        assertEquals("refused", failure.cause().getMessage());
        assertEquals(4, calls.get()); // with the events before it, and then 3 times
        awaitReport(3);
        assertEquals(Map.of("bad", List.of(1L, 2L), other, List.of(1L)), reported());

        append(other, 1, 2); // another slice continues
        awaitReport(4);
        assertTrue(running.status().lag().isPositive());
        isFixed.set(true);
        running.resume();
        awaitReport(6);
        assertEquals(List.of(1L, 2L, 3L, 4L), reported().get("bad"));
        await(running, State.RUNNING);
        assertEquals(List.of(), running.status().failures());
    }

    @Test
    void anEventThatCannotBeDecoded() throws Exception {
        append("bad", 0, 1, UNREADABLE, 3);
        RunningProjection running = start(report("r").attempts(2, QUICK));
        Failure failure = await(running, State.FAILED).failures().getFirst();
        assertEquals("bad", failure.key());
        assertEquals(2, failure.version());
        assertEquals("unreadable", failure.cause().getMessage());
        assertEquals(Map.of("bad", List.of(1L)), reported());
    }

    /** The failure of this node is resolved when another node has handled the event. */
    @Test
    void anotherNodeHandlesAFailedEvent() throws Exception {
        append("id0", 0, 1);
        RunningProjection running = start(Projection.of("r", log(store), (connection, event) -> {
                    throw new IOException("refused");
                })
                .attempts(1, QUICK));
        await(running, State.FAILED);
        start(report("r"));
        awaitReport(1);
        await(running, State.RUNNING);
    }

    @Test
    void aPauseAndALag() throws Exception {
        RunningProjection running = start(report("r"));
        running.pause();
        append("id0", 0, 1);
        ProjectionStatus status = await(running, paused -> paused.lag().isPositive()); // a poll has found the event
        assertEquals(State.PAUSED, status.state());
        await(running, paused -> paused.lag().compareTo(status.lag()) > 0);
        assertEquals(0, count());
        running.rebuild();
        assertEquals(State.PAUSED, running.status().state());
        running.resume();
        awaitReport(1);
        await(running, resumed -> resumed.lag().isZero());
        assertEquals(State.RUNNING, running.status().state());
    }

    /** Events of other types advance the slice, and are no lag. */
    @Test
    void eventsOfAnotherType() throws Exception {
        append("id0", 0, 1);
        RunningProjection running = start(Projection.of("r", log(store, "u"), ProjectionFixture::report));
        store.write(new Write("u", "id0", 0, 0, List.of(JdbcStoreCase.bytes(5)), null, Outgoing.NONE));
        awaitReport(1);
        append("id0", 1, 2);
        await(running, status -> status.lag().isZero());
        assertEquals(1, running.status().events());
    }

    /** Rebuilds while two nodes handle events, and events are added. */
    @Test
    void rebuilds() throws Exception {
        try (JdbcStore other = open()) {
            RunningProjection running = start(report("r"));
            try (var second =
                    Projection.of("r", log(other), ProjectionFixture::report).start()) {
                var writers = new FutureTask<Void>(() -> {
                    JdbcStoreCase.inParallel(8, i -> {
                        for (int version = 0; version < 20; version++) {
                            append("id" + i, version, version);
                        }
                    });
                    return null;
                });
                Thread.ofPlatform().start(writers);
                for (int i = 0; i < 10; i++) {
                    (i % 2 == 0 ? running : second).rebuild(ProjectionCase::clear);
                }
                writers.get();
                awaitReport(160);
                await(running, status -> status.lag().isZero());
                assertReport(8, 20);
            }
        }
    }

    private static void clear(Connection connection) throws SQLException {
        try (var statement = connection.createStatement()) {
            statement.execute("DELETE FROM report");
        }
    }

    @Test
    void aRebuildThatFails() throws Exception {
        append("id0", 0, 1);
        RunningProjection running = start(report("r"));
        awaitReport(1);
        var e = assertThrows(
                SQLException.class,
                () -> running.rebuild(connection -> {
                    clear(connection);
                    throw new IOException("refused");
                }));
        assertEquals("refused", e.getCause().getMessage());
        append("id0", 1, 2);
        awaitReport(2);
        assertReport(1, 2);
        running.rebuild(); // without removal
        awaitReport(4);
        assertEquals(List.of(1L, 2L, 1L, 2L), reported().get("id0"));
    }

    @Test
    void theProjectorCannotEndTheTransaction() throws Exception {
        var refusals = Collections.synchronizedList(new ArrayList<String>());
        var former = new ArrayList<Connection>();
        append("id0", 0, 1);
        RunningProjection running = start(Projection.of("r", log(store), (connection, event) -> {
            refusals.add(assertThrows(SQLException.class, connection::commit).getMessage());
            assertThrows(SQLException.class, connection::rollback);
            assertThrows(SQLException.class, () -> connection.setAutoCommit(true));
            report(connection, event);
            connection.rollback(connection.setSavepoint());
            connection.close();
            assertFalse(connection.isClosed());
            former.add(connection);
        }));
        awaitReport(1);
        running.close();
        assertEquals(
                List.of("commit is not possible: the projection commits the transaction with its position"), refusals);
        assertEquals(
                "the transaction of this connection has ended",
                assertThrows(SQLException.class, () -> former.getFirst().createStatement())
                        .getMessage());
    }

    /** An interrupt that a projector leaves behind must not close a file, nor end a later batch. */
    @Test
    void aProjectorThatInterruptsItself() throws Exception {
        start(Projection.of("r", log(store), (connection, event) -> {
            report(connection, event);
            Thread.currentThread().interrupt();
        }));
        for (int version = 0; version < 5; version++) {
            append("id0", version, 1);
            awaitReport(version + 1);
        }
        assertReport(1, 5);
    }

    @Test
    void closeWaitsForTheEventAndKeepsIt() throws Exception {
        var inside = new CountDownLatch(1);
        var proceed = new CountDownLatch(1);
        append("id0", 0, 1, 2, 3);
        RunningProjection running = start(Projection.of("r", log(store), (connection, event) -> {
            report(connection, event);
            inside.countDown();
            proceed.await();
        }));
        inside.await();
        var closer = Thread.ofPlatform().start(running::close);
        await(running, State.CLOSED);
        assertTrue(closer.isAlive());
        proceed.countDown();
        closer.join();
        assertReport(1, 1);
        start(report("r"));
        awaitReport(3);
        assertReport(1, 3);
    }

    @Test
    void aDatabaseThatFails() throws Exception {
        RunningProjection running = start(report("r").attempts(1, QUICK));
        execute("ALTER TABLE fibry_projection RENAME TO hidden");
        Failure failure = await(running, State.RETRYING).failures().getFirst();
        assertNull(failure.key());
        assertFalse(failure.isStopped());
        await(running, status -> status.failures().stream().anyMatch(f -> f.attempts() > 3));
        append("id0", 0, 1);
        execute("ALTER TABLE hidden RENAME TO fibry_projection");
        awaitReport(1);
        await(running, State.RUNNING);
    }

    @Test
    void whatCannotStart() throws Exception {
        start(report("r"));
        var e = assertThrows(
                IllegalStateException.class, () -> start(Projection.of("r", log(store, "u"), (c, n) -> {})));
        assertEquals(
                "the projection r reads the type t: a projection of the type u needs another name", e.getMessage());
        assertThrows(
                IllegalArgumentException.class, () -> Projection.of("r", log(new MemoryStore(), "t"), (c, n) -> {}));
        assertThrows(IllegalArgumentException.class, () -> report("r").parallelism(0));
        assertThrows(IllegalArgumentException.class, () -> report("r").attempts(0, QUICK));
        assertEquals(
                "name must have 1 to 100 characters, not 101",
                assertThrows(IllegalArgumentException.class, () -> report("x".repeat(101)))
                        .getMessage());
    }

    @Test
    void itsMetrics() throws Exception {
        try (var system = ActorSystem.create()) {
            RunningProjection running = start(report("r"));
            var other = system.actor("projection-r").newActor(ignored -> {});
            assertThrows(IllegalStateException.class, () -> running.publishMetrics(system));
            other.close();
            running.publishMetrics(system);
            running.publishMetrics(system); // no effect
            append("id0", 0, 1);
            awaitReport(1);
            await(running, status -> status.events() == 1);
            List<Metric> own = metrics(system);
            assertEquals(
                    List.of("fibry.projection.lag", "fibry.projection.events", "fibry.projection.stopped"),
                    own.stream().map(Metric::name).toList());
            assertEquals(Map.of("server", "projection-r"), own.get(1).tags());
            assertEquals(1, own.get(1).value());
            running.close();
            system.find("projection-r").ifPresent(actor -> actor.waitForExit());
            assertEquals(List.of(), metrics(system));
            running.publishMetrics(system);
            system.close(Duration.ofSeconds(30));
        }
    }

    private static List<Metric> metrics(ActorSystem system) {
        return system.metrics().stream()
                .filter(metric -> metric.name().startsWith("fibry.projection"))
                .toList();
    }
}
