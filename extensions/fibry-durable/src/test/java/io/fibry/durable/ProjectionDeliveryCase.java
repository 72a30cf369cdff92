package io.fibry.durable;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.ActorSystem;
import io.fibry.ReplyActor;
import io.fibry.durable.ProjectionStatus.Failure;
import io.fibry.durable.ProjectionStatus.State;
import io.fibry.flow.FlowSubscriber;
import io.fibry.stereotypes.Stereotypes;
import java.io.IOException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Flow;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** The contract of projections, with the part about deliveries outside a transaction. */
abstract class ProjectionDeliveryCase extends ProjectionCase {

    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    private final BlockingQueue<String> delivered = new LinkedBlockingQueue<>();

    private void deliver(Recorded<Long> event) {
        delivered.add(event.key() + "/" + event.version());
    }

    private static List<String> take(BlockingQueue<String> queue, int count) throws InterruptedException {
        var taken = new ArrayList<String>();
        for (int i = 0; i < count; i++) {
            taken.add(queue.take());
        }
        return taken;
    }

    @Test
    void anActorThatFails() throws Exception {
        var fails = new AtomicBoolean(true);
        try (var system = ActorSystem.create()) {
            ReplyActor<Recorded<Long>, String> actor = system.actor("recipient").newActorWithReturn(event -> {
                if (event.version() == 2 && fails.getAndSet(false)) {
                    throw new IOException("refused");
                }
                deliver(event);
                return "done";
            });
            append("id0", 0, 1, 2, 3);
            RunningProjection running =
                    start(Projection.toActor("a", log(store), actor, TIMEOUT).attempts(9, QUICK));
            assertEquals(List.of("id0/1", "id0/2", "id0/3"), take(delivered, 3));
            await(running, status -> status.events() == 3);
            running.close();
            append("id0", 3, 4);
            start(Projection.toActor("a", log(store), actor, TIMEOUT));
            assertEquals(List.of("id0/4"), take(delivered, 1));
        }
    }

    @Test
    void anActorWithoutATimeout() throws Exception {
        try (var system = ActorSystem.create()) {
            ReplyActor<Recorded<Long>, String> actor = system.actor("recipient").newActorWithReturn(event -> {
                deliver(event);
                return "done";
            });
            append("id0", 0, 1);
            RunningProjection running =
                    start(Projection.toActor("a", log(store), actor, ChronoUnit.FOREVER.getDuration()));
            assertEquals(List.of("id0/1"), take(delivered, 1));
            await(running, status -> status.events() == 1);
        }
    }

    @Test
    void anActorThatHasEnded() throws Exception {
        try (var system = ActorSystem.create()) {
            ReplyActor<Recorded<Long>, String> actor = system.actor("recipient").newActorWithReturn(event -> "done");
            actor.close();
            append("id0", 0, 1);
            RunningProjection running =
                    start(Projection.toActor("a", log(store), actor, TIMEOUT).attempts(2, QUICK));
            Failure failure = await(running, State.FAILED).failures().getFirst();
            assertInstanceOf(io.fibry.ActorStoppedException.class, failure.cause());
        }
    }

    /** The recipient uses the store: with H2, it has one connection. */
    @Test
    void aConsumerThatUsesTheStore() throws Exception {
        start(Projection.toConsumer("c", log(store), event -> {
            store.write(
                    new Write("seen", event.key(), event.version() - 1, 0, List.of(), new byte[] {1}, Outgoing.NONE));
            deliver(event);
        }));
        append("id0", 0, 1, 2);
        assertEquals(List.of("id0/1", "id0/2"), take(delivered, 2));
        assertEquals(2, store.load("seen", "id0").revision());
    }

    /** Without failures, each event is delivered once, in order per key, also by two nodes. */
    @Test
    void twoNodesShareTheDeliveries() throws Exception {
        var versions = new ConcurrentHashMap<String, List<Long>>();
        try (JdbcStore other = open()) {
            start(Projection.toConsumer("c", log(store), event -> add(versions, event)));
            try (var second = Projection.toConsumer("c", log(other), event -> add(versions, event))
                    .start()) {
                JdbcStoreCase.inParallel(16, i -> {
                    for (int version = 0; version < 10; version++) {
                        append("id" + i, version, version);
                    }
                });
                take(delivered, 160);
                await(second, status -> status.lag().isZero());
            }
        }
        var expected = new TreeMap<String, List<Long>>();
        for (int i = 0; i < 16; i++) {
            expected.put("id" + i, List.of(1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L, 9L, 10L));
        }
        assertEquals(expected, new TreeMap<>(versions));
    }

    private void add(ConcurrentHashMap<String, List<Long>> versions, Recorded<Long> event) {
        versions.computeIfAbsent(event.key(), none -> new ArrayList<>()).add(event.version());
        deliver(event);
    }

    /** A node that has crashed keeps its leases until they expire. */
    @Test
    void theLeaseOfAnotherNode() throws Exception {
        String other = inAnotherSlice("id0");
        RunningProjection running =
                start(Projection.toConsumer("c", log(store), this::deliver).parallelism(1));
        execute("UPDATE fibry_projection SET owner = 'other', lease = CURRENT_TIMESTAMP + INTERVAL '3600' SECOND"
                + " WHERE slice = " + Slices.of("t", "id0"));
        append("id0", 0, 1);
        await(running, status -> status.lag().isPositive()); // a poll has found the event
        append(other, 0, 1);
        assertEquals(List.of(other + "/1"), take(delivered, 1)); // not after the event that was found before
        execute("UPDATE fibry_projection SET lease = CURRENT_TIMESTAMP - INTERVAL '1' SECOND WHERE owner = 'other'");
        assertEquals(List.of("id0/1"), take(delivered, 1));
    }

    /** A node whose lease has expired cannot store its position: at least once. */
    @Test
    void aLeaseThatIsLost() throws Exception {
        var calls = new AtomicInteger();
        append("id0", 0, 1);
        start(Projection.toConsumer("c", log(store), event -> {
            if (calls.getAndIncrement() == 0) {
                execute("UPDATE fibry_projection SET owner = 'other'");
                execute("UPDATE fibry_projection SET lease = CURRENT_TIMESTAMP - INTERVAL '1' SECOND");
            }
            deliver(event);
        }));
        assertEquals(List.of("id0/1", "id0/1"), take(delivered, 2));
    }

    @Test
    void aConsumerThatInterruptsItself() throws Exception {
        start(Projection.toConsumer("c", log(store), event -> {
            Thread.currentThread().interrupt();
            deliver(event);
        }));
        append("id0", 0, 1, 2);
        append("id1", 0, 1);
        take(delivered, 3);
    }

    /** A subscriber whose signals are recorded. */
    private final class Recorder implements Flow.Subscriber<Recorded<Long>> {

        final CountDownLatch subscribed = new CountDownLatch(1);
        final AtomicInteger running = new AtomicInteger();
        volatile Flow.Subscription subscription;
        volatile boolean fails;

        @Override
        public void onSubscribe(Flow.Subscription s) {
            subscription = s;
            subscribed.countDown();
        }

        @Override
        public void onNext(Recorded<Long> event) {
            int others = running.getAndIncrement();
            deliver(event);
            Thread.onSpinWait(); // another signal could begin now
            running.decrementAndGet();
            if (fails || others > 0) {
                throw new IllegalStateException(others + " other signals");
            }
        }

        @Override
        public void onError(Throwable e) {
            delivered.add(e.getMessage());
        }

        @Override
        public void onComplete() {
            delivered.add("complete");
        }
    }

    @Test
    void aSubscriberAndItsDemand() throws Exception {
        var recorder = new Recorder();
        Projection<Long> projection = Projection.toSubscriber("s", log(store), recorder);
        RunningProjection running = start(projection);
        assertThrows(IllegalStateException.class, projection::start);
        append("id0", 0, 1, 2, 3, 4);
        await(running, status -> status.lag().isPositive());
        recorder.subscription.request(1);
        assertEquals(List.of("id0/1"), take(delivered, 1));
        recorder.subscription.request(2);
        assertEquals(List.of("id0/2", "id0/3"), take(delivered, 2));
        await(running, status -> status.events() == 3);
        assertTrue(delivered.isEmpty());
        running.close();
        assertEquals(List.of("complete"), take(delivered, 1));
        var next = new Recorder();
        start(Projection.toSubscriber("s", log(store), next));
        next.subscription.request(Long.MAX_VALUE);
        assertEquals(List.of("id0/4"), take(delivered, 1));
    }

    /** The signals of all slices are serial. */
    @Test
    void aSubscriberToManyKeys() throws Exception {
        var recorder = new Recorder();
        RunningProjection running = start(Projection.toSubscriber("s", log(store), recorder));
        recorder.subscription.request(Long.MAX_VALUE);
        for (int i = 0; i < 50; i++) {
            append("id" + i, 0, 1, 2);
        }
        take(delivered, 100);
        await(running, status -> status.events() == 100);
        assertEquals(State.RUNNING, running.status().state());
    }

    @Test
    void aSubscriberThatCancels() throws Exception {
        var recorder = new Recorder();
        RunningProjection running = start(Projection.toSubscriber("s", log(store), recorder));
        recorder.subscription.cancel();
        await(running, State.CLOSED);
        running.close();
        assertTrue(delivered.isEmpty());
    }

    @Test
    void aSubscriberThatThrows() throws Exception {
        var recorder = new Recorder();
        recorder.fails = true;
        RunningProjection running = start(Projection.toSubscriber("s", log(store), recorder));
        recorder.subscription.request(5);
        append("id0", 0, 1, 2);
        await(running, State.CLOSED);
        running.close();
        assertEquals(List.of("id0/1"), List.copyOf(delivered));
        start(Projection.toConsumer("s", log(store), this::deliver)); // the event counts as not delivered
        assertEquals(List.of("id0/1", "id0/1", "id0/2"), take(delivered, 3));
    }

    @Test
    void aSubscriberThatRequestsNothing() throws Exception {
        var recorder = new Recorder();
        RunningProjection running = start(Projection.toSubscriber("s", log(store), recorder));
        recorder.subscription.request(0);
        await(running, State.CLOSED);
        assertEquals(List.of("a subscriber must request at least 1 item, not 0 (rule 3.9)"), take(delivered, 1));
    }

    @Test
    void anActorThatSubscribes() throws Exception {
        FlowSubscriber<Recorded<Long>> actor = Stereotypes.def().flowSubscriber(4, this::deliver);
        RunningProjection running = start(Projection.toSubscriber("s", log(store), actor));
        for (int version = 0; version < 20; version++) {
            append("id0", version, version);
        }
        assertEquals("id0/20", take(delivered, 20).getLast());
        running.close();
        assertEquals(io.fibry.ActorExit.Reason.NORMAL, actor.exit().join().reason());
        assertFalse(running.status().events() < 20);
    }
}
