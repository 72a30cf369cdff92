package io.fibry.micrometer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.Actor;
import io.fibry.ActorSystem;
import io.fibry.SystemOptions;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tags;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A registry that outlives systems, contains other meters, and is read by several threads. Seen to fail: without the
 * check for existing meters, with a refusal that reaches the caller, with meters created from the reader's snapshot,
 * with a sampler that retains the system, with decreasing counters, and with counters whose state is referenced only by
 * the registry.
 */
@Timeout(60)
class SharedRegistryTest {

    private static final long SECOND = Duration.ofSeconds(1).toNanos();

    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final AtomicLong now = new AtomicLong();

    @AfterEach
    void close() {
        registry.close();
    }

    private static ActorSystem shop() {
        return ActorSystem.create(SystemOptions.defaults().name("shop"));
    }

    private FibryMetrics bind(ActorSystem system, LongSupplier clock) {
        var metrics = new FibryMetrics(system, Tags.of("system", "shop"), 10, name -> true, clock);
        metrics.bindTo(registry);
        return metrics;
    }

    /** Returns a scrape long after the previous one. The first scrape may add meters, which the second one shows. */
    private List<String> scrape() {
        now.addAndGet(SECOND);
        registry.scrape();
        return registry.scrape().lines().toList();
    }

    private void assertLine(String line) {
        List<String> lines = scrape();
        assertTrue(lines.contains(line), () -> line + " in\n" + String.join("\n", lines));
    }

    private static void await(BooleanSupplier condition) throws InterruptedException {
        while (!condition.getAsBoolean()) {
            TimeUnit.MILLISECONDS.sleep(1);
        }
    }

    /** Lets a new actor handle messages. */
    private static void handle(ActorSystem system, String name, int messages) throws InterruptedException {
        long before = system.stats().handled();
        Actor<Integer> actor = system.actor(name).newActor(n -> {});
        IntStream.range(0, messages).forEach(actor::tell);
        await(() -> system.stats().handled() == before + messages);
    }

    private static void end(ActorSystem system, String name) {
        system.find(name).orElseThrow().close();
    }

    @Test
    void aSystemOfTheSameNameLeavesTheMetersOfTheFirstAlone() throws Exception {
        registry.config().commonTags("app", "test");
        try (ActorSystem first = shop();
                ActorSystem second = shop()) {
            bind(first, now::get);
            List<Meter> meters = registry.getMeters();
            FibryMetrics metrics = bind(second, now::get);
            handle(first, "first", 1);
            assertLine("fibry_messages_total{app=\"test\",end=\"handled\",system=\"shop\"} 1.0");
            metrics.close();
            assertTrue(registry.getMeters().containsAll(meters));
            assertLine("fibry_actor_handled_total{actor=\"first\",app=\"test\",system=\"shop\"} 1.0");
        }
    }

    @Test
    void aMeterThatTheRegistryRefusesDoesNotKeepTheOthersFromTheirs() throws Exception {
        registry.throwExceptionOnRegistrationFailure();
        registry.counter("fibry.workers", "system", "shop"); // of another type
        registry.counter("fibry.actor.failures", "other", "keys");
        try (ActorSystem system = shop()) {
            bind(system, now::get);
            handle(system, "a", 1);
            assertLine("fibry_actor_handled_total{actor=\"a\",system=\"shop\"} 1.0");
            assertLine("fibry_restarts_total{system=\"shop\"} 0.0");
        }
    }

    @Test
    void aReaderWithAnOlderSnapshotRemovesNoMeter() throws Exception {
        var slow = new Thread[1];
        var hasRead = new CountDownLatch(1);
        var mayGoOn = new CountDownLatch(1);
        LongSupplier clock = () -> {
            long read = now.get();
            if (Thread.currentThread().equals(slow[0])) {
                hasRead.countDown();
                awaitUninterruptibly(mayGoOn);
            }
            return read;
        };
        try (ActorSystem system = shop()) {
            bind(system, clock);
            var workers = registry.get("fibry.workers").gauge();
            workers.value();
            slow[0] = Thread.ofPlatform().unstarted(workers::value);
            slow[0].start();
            hasRead.await();
            system.actor("late").newSink(null);
            now.addAndGet(SECOND);
            workers.value();
            Meter late = late();
            mayGoOn.countDown();
            slow[0].join();
            assertSame(late, late());
        }
    }

    private Meter late() {
        return registry.get("fibry.actor.handled").tag("actor", "late").meter();
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void anEndedSystemIsGarbageAlthoughItsMetersStay() throws Exception {
        var ended = new WeakReference<>(ended());
        await(() -> {
            System.gc();
            return ended.get() == null;
        });
        assertLine("fibry_messages_total{end=\"handled\",system=\"shop\"} 2.0");
    }

    private ActorSystem ended() throws Exception {
        ActorSystem system = shop();
        bind(system, now::get);
        handle(system, "a", 1);
        scrape();
        handle(system, "b", 1);
        assertTrue(system.close(Duration.ofSeconds(10)));
        scrape();
        return system;
    }

    @Test
    void anActorCountsOnFromAnotherOfItsName() throws Exception {
        try (ActorSystem system = shop()) {
            bind(system, now::get);
            handle(system, "a", 3);
            assertLine("fibry_actor_handled_total{actor=\"a\",system=\"shop\"} 3.0");
            end(system, "a");
            handle(system, "a", 2);
            assertLine("fibry_actor_handled_total{actor=\"a\",system=\"shop\"} 5.0");
            end(system, "a");
            handle(system, "a", 1);
            assertLine("fibry_actor_handled_total{actor=\"a\",system=\"shop\"} 6.0");
            end(system, "a");
            scrape();
            handle(system, "a", 1); // its meter was gone, so this is a new one
            assertLine("fibry_actor_handled_total{actor=\"a\",system=\"shop\"} 1.0");
        }
    }

    @Test
    void countersCountOnAfterAGarbageCollection() throws Exception {
        try (ActorSystem system = shop()) {
            bind(system, now::get);
            assertEquals(
                    0,
                    registry.get("fibry.messages")
                            .tag("end", "handled")
                            .functionCounter()
                            .count());
            System.gc();
            handle(system, "a", 1);
            assertLine("fibry_messages_total{end=\"handled\",system=\"shop\"} 1.0");
        }
    }
}
