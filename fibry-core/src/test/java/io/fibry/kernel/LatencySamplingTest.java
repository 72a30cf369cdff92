package io.fibry.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.Actor;
import io.fibry.ActorSystem;
import io.fibry.AskTimeoutException;
import io.fibry.Latency;
import io.fibry.SystemOptions;
import io.fibry.testing.Await;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The times of sampled messages: which ones are measured, by whom, and for how long their histograms are kept. */
class LatencySamplingTest {

    private static final Duration BLOCKED = Duration.ofMillis(20);

    private static ActorSystem measured(int oneIn) {
        return ActorSystem.create(SystemOptions.defaults().latencySampling(oneIn));
    }

    private static @Nullable Latency find(ActorSystem system, String actor, Latency.Kind kind) {
        return system.latencies().stream()
                .filter(latency -> latency.actor().equals(actor) && latency.kind() == kind)
                .findFirst()
                .orElse(null);
    }

    private static Latency latency(ActorSystem system, String actor, Latency.Kind kind) {
        return Objects.requireNonNull(find(system, actor, kind), () -> kind + " in " + system.latencies());
    }

    /** Waits for the measurements: they follow the reply, and the thread that waits for it may be faster. */
    private static void awaitCount(long count, ActorSystem system, String actor, Latency.Kind kind) {
        Await.until(count + " times of kind " + kind, () -> {
            Latency latency = find(system, actor, kind);
            return latency != null && latency.count() == count;
        });
    }

    private static void block() {
        long end = System.nanoTime() + BLOCKED.toNanos();
        while (System.nanoTime() < end) {
            LockSupport.parkNanos(end - System.nanoTime());
        }
    }

    @Test
    void aSuspendedHandlerIsMeasuredUntilItsEnd() {
        try (ActorSystem system = measured(1)) {
            var made = new CompletableFuture<TestHandler>();
            var reply = system.actor("suspended")
                    .newActorWithReturn((Integer n) -> {
                        var handler = new TestHandler("m", new CopyOnWriteArrayList<>());
                        made.complete(handler);
                        return handler.suspend();
                    })
                    .ask(1);
            made.join();
            block();
            assertNull(find(system, "suspended", Latency.Kind.HANDLER));
            made.join().finish("done");
            reply.join();
            awaitCount(1, system, "suspended", Latency.Kind.HANDLER);
            Latency handler = latency(system, "suspended", Latency.Kind.HANDLER);
            assertTrue(handler.max().compareTo(BLOCKED) >= 0, handler::toString);
        }
    }

    @Test
    void measuresMailboxHandlerAndAsk() {
        try (ActorSystem system = measured(1)) {
            var actor = system.actor("slow").newActorWithReturn((Integer n) -> {
                block();
                return n;
            });
            var first = actor.ask(1);
            var second = actor.ask(2);
            first.join();
            second.join();
            actor.close();
            Latency handler = latency(system, "", Latency.Kind.HANDLER);
            assertEquals(2, handler.count());
            assertTrue(handler.percentile(0).compareTo(BLOCKED) >= 0, handler::toString);
            Latency mailbox = latency(system, "", Latency.Kind.MAILBOX);
            assertTrue(mailbox.max().compareTo(BLOCKED.dividedBy(2)) >= 0, mailbox::toString);
            awaitCount(2, system, "", Latency.Kind.ASK);
            Latency ask = latency(system, "", Latency.Kind.ASK);
            assertTrue(ask.max().compareTo(handler.percentile(0)) >= 0, ask::toString);
        }
    }

    @Test
    void theMeasurementsOfANamedActorEndWithItsName() {
        try (ActorSystem system = measured(1)) {
            for (int i = 0; i < 3; i++) {
                var actor = system.actor("counter").newActorWithReturn((Integer n) -> n + 1);
                actor.ask(1).join();
                awaitCount(1, system, "counter", Latency.Kind.ASK);
                actor.close();
                assertNull(find(system, "counter", Latency.Kind.HANDLER));
            }
            assertEquals(3, latency(system, "", Latency.Kind.HANDLER).count());
        }
    }

    @Test
    void anActorWithoutANameCountsForTheSystemOnly() {
        try (ActorSystem system = measured(1)) {
            system.actor().newActorWithReturn((Integer n) -> n).ask(1).join();
            assertEquals(
                    List.of(""),
                    system.latencies().stream().map(Latency::actor).distinct().toList());
        }
    }

    @Test
    void theNumberOfHistogramsIsLimited() {
        try (ActorSystem system = measured(1)) {
            int actors = Latencies.MAX_ACTORS + 10;
            for (int i = 0; i < actors; i++) {
                system.actor("a" + i)
                        .newActorWithReturn((Integer n) -> n)
                        .ask(i)
                        .join();
            }
            awaitCount(actors, system, "", Latency.Kind.ASK);
            assertEquals(
                    Latencies.MAX_ACTORS + 1,
                    system.latencies().stream().map(Latency::actor).distinct().count());
        }
    }

    @Test
    void measuresARandomSample() throws Exception {
        int messages = 64_000;
        try (ActorSystem system = measured(64)) {
            var done = new CountDownLatch(messages);
            Actor<Integer> actor = system.actor("counter").newActor(n -> done.countDown());
            for (int i = 0; i < messages; i++) {
                actor.tell(i);
            }
            done.await();
            actor.close();
            long count = latency(system, "", Latency.Kind.HANDLER).count();
            assertTrue(count > 800 && count < 1_200, () -> "1,000 expected, with a deviation of 31: " + count);
        }
    }

    @Test
    void aSystemWithoutSamplingMeasuresNothing() throws Exception {
        var measurements = new AtomicInteger();
        try (ActorSystem system = ActorSystem.create(SystemOptions.defaults())) {
            AutoCloseable listener = system.onLatency((a, kind, nanos) -> measurements.incrementAndGet());
            var actor = system.actor("a").newActorWithReturn((Integer n) -> n);
            actor.ask(1).join();
            actor.close();
            assertEquals(List.of(), system.latencies());
            listener.close();
        }
        assertEquals(0, measurements.get());
    }

    @Test
    void aListenerReceivesTheTimesUntilItIsClosed() throws Exception {
        var asks = new AtomicLong();
        try (ActorSystem system = measured(1)) {
            var actor = system.actor("a").newActorWithReturn((Integer n) -> n);
            AutoCloseable listener = system.onLatency((receiver, kind, nanos) -> {
                assertSame(actor, receiver);
                if (kind == Latency.Kind.ASK) {
                    asks.incrementAndGet();
                }
            });
            actor.ask(1).join();
            Await.until("the ask is measured", () -> asks.get() == 1);
            listener.close();
            listener.close();
            actor.ask(2).join();
            awaitCount(2, system, "", Latency.Kind.ASK);
            actor.close();
            assertEquals(1, asks.get());
        }
    }

    @Test
    void aListenerThatThrowsDoesNotAffectTheActor() throws Exception {
        try (ActorSystem system = measured(1)) {
            AutoCloseable listener = system.onLatency((receiver, kind, nanos) -> {
                throw new IllegalStateException("expected by the test");
            });
            var actor = system.actor("a").newActorWithReturn((Integer n) -> n);
            assertEquals(1, actor.ask(1).join());
            assertEquals(2, actor.ask(2).join());
            listener.close();
        }
    }

    @Test
    void anAskThatTimesOutIsMeasuredAndItsMessageIsNot() throws Exception {
        try (ActorSystem system = measured(1)) {
            var release = new CountDownLatch(1);
            var actor = system.actor("a").newActorWithReturn((Integer n) -> {
                release.await();
                return n;
            });
            var first = actor.ask(1);
            var late = actor.ask(2, Duration.ofMillis(1));
            var thrown = assertThrows(CompletionException.class, late::join);
            assertTrue(thrown.getCause() instanceof AskTimeoutException, thrown::toString);
            awaitCount(1, system, "a", Latency.Kind.ASK);
            release.countDown();
            first.join();
            actor.close();
            assertEquals(1, latency(system, "", Latency.Kind.HANDLER).count());
        }
    }

    private record Call(
            @Nullable Actor<?> sender, Actor<?> receiver, Class<?> type, boolean isAsk, boolean hasFailed) {}

    @Test
    void aTapOfOneActorReceivesAllItsMessagesWithTheirSenders() throws Exception {
        try (var system = (LocalSystem) ActorSystem.create(SystemOptions.defaults())) {
            var calls = new ConcurrentLinkedQueue<Call>();
            var target = system.actor("target").newActorWithReturn((Integer n) -> 1 / n);
            var other = system.actor("other").newActorWithReturn((Integer n) -> {
                target.tell(n);
                return n;
            });
            AutoCloseable tap = system.tap(
                    (message, receiver, waited, handled, hasFailed) ->
                            calls.add(new Call(message.sentBy(), receiver, message.type(), message.isAsk(), hasFailed)),
                    target);
            assertEquals(1, other.ask(1).join());
            assertThrows(CompletionException.class, () -> target.ask(0).join());
            target.ask(1).join(); // the tap is called after the reply: the next message shows that it has been
            assertEquals(
                    List.of(
                            new Call(other, target, Integer.class, false, false),
                            new Call(null, target, Integer.class, true, true)),
                    calls.stream().limit(2).toList());
            tap.close();
            calls.clear();
            target.ask(1).join();
            target.ask(1).join();
            assertEquals(List.of(), List.copyOf(calls));
        }
    }

    @Test
    void theBucketsCoverAllTimesWithAnErrorOfAnEighth() {
        int last = -1;
        for (long nanos = 0; nanos < 1L << 42; nanos += 1 + nanos / 50) {
            int bucket = Histogram.bucket(nanos);
            assertTrue(bucket == last || bucket == last + 1, "no gap at " + nanos);
            long limit = Histogram.limit(bucket);
            assertTrue(limit >= nanos, "limit " + limit + " of " + nanos);
            if (nanos >= 64 && limit != Long.MAX_VALUE) {
                assertTrue(limit <= nanos + nanos / 8, "limit " + limit + " of " + nanos);
                assertFalse(Histogram.bucket(limit + 1) == bucket, "limit " + limit + " is the longest time");
            }
            last = bucket;
        }
    }

    @Test
    void aPercentileIsTheLimitOfItsBucket() {
        var histogram = new Histogram();
        for (int i = 1; i <= 100; i++) {
            histogram.record(1_000L * i);
        }
        Latency latency = histogram.snapshot("", Latency.Kind.HANDLER);
        assertEquals(Duration.ofNanos(100_000), latency.percentile(100));
        assertEquals(Duration.ofNanos(50_500), latency.mean());
        long median = latency.percentile(50).toNanos();
        assertTrue(median >= 50_000 && median <= 56_250, () -> "the median is " + median);
        assertThrows(IllegalArgumentException.class, () -> latency.percentile(101));
        assertThrows(IllegalArgumentException.class, () -> latency.percentile(Double.NaN));
    }

    @Test
    void aNegativeShareIsRefused() {
        assertThrows(
                IllegalArgumentException.class, () -> SystemOptions.defaults().latencySampling(-1));
    }
}
