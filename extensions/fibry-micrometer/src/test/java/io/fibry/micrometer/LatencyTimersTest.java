package io.fibry.micrometer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.Actor;
import io.fibry.ActorSystem;
import io.fibry.Latency;
import io.fibry.SystemOptions;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Timers of measured latencies. Seen to fail: with kinds that are exchanged, without the limit of names, with labels as
 * names, with timers that remain or are added again after the close, and with the timers of another system.
 */
@Timeout(60)
class LatencyTimersTest {

    private static final String[] NAMES = {"fibry.message.mailbox", "fibry.message.handler", "fibry.ask"};

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final ActorSystem system = shop(1);

    private static ActorSystem shop(int oneIn) {
        return ActorSystem.create(SystemOptions.defaults().name("shop").latencySampling(oneIn));
    }

    @AfterEach
    void close() {
        system.close();
        registry.close();
    }

    private long count(String timer, String actor) {
        Timer found =
                registry.find(timer).tags("system", "shop", "actor", actor).timer();
        return found == null ? 0 : found.count();
    }

    @Test
    void eachKindHasATimer() throws Exception {
        FibryMetrics.of(system).actors(20).bindTo(registry);
        var entered = new CountDownLatch(1);
        var open = new CountDownLatch(1);
        var actor = system.actor("orders").newActorWithReturn((Integer n) -> {
            entered.countDown();
            open.await();
            return n;
        });
        var first = actor.ask(1);
        entered.await();
        actor.tell(2);
        var third = actor.ask(3);
        open.countDown();
        first.get();
        third.get();
        system.close();
        assertEquals(3, count("fibry.message.mailbox", "orders"));
        assertEquals(3, count("fibry.message.handler", "orders"));
        assertEquals(2, count("fibry.ask", "orders"));
        assertTrue(registry.get("fibry.ask").timer().totalTime(TimeUnit.NANOSECONDS)
                >= registry.get("fibry.message.handler").timer().max(TimeUnit.NANOSECONDS));
    }

    @Test
    void otherActorsShareATimer() throws Exception {
        FibryMetrics.of(system).actors(1, name -> !name.startsWith("session-")).bindTo(registry);
        for (String name : new String[] {"session-1", "orders", "billing"}) {
            system.actor(name).newActorWithReturn((Integer n) -> n).call(1);
        }
        system.actor().label("orders-2").newActorWithReturn((Integer n) -> n).call(1);
        system.actor().newActorWithReturn((Integer n) -> n).call(1);
        system.close();
        assertEquals(1, count("fibry.message.handler", "orders"));
        assertEquals(4, count("fibry.message.handler", "(others)"));
        assertEquals(2, registry.find("fibry.message.handler").timers().size());
    }

    @Test
    void withoutSamplingThereAreNoTimers() throws Exception {
        try (var other = shop(0)) {
            FibryMetrics.of(other).actors(20).bindTo(registry);
            other.actor("orders").newActorWithReturn((Integer n) -> n).call(1);
        }
        for (String name : NAMES) {
            assertNull(registry.find(name).timer(), name);
        }
    }

    @Test
    void theCloseRemovesTheTimersAndEndsTheMeasurement() throws Exception {
        var metrics = FibryMetrics.of(system).actors(20);
        metrics.bindTo(registry);
        var actor = system.actor("orders").newActorWithReturn((Integer n) -> n);
        assertEquals(1, actor.call(1));
        metrics.close();
        assertEquals(2, actor.call(2));
        system.close();
        assertEquals(0, registry.getMeters().size());
    }

    @Test
    void theCloseRemovesTheListener() throws Exception {
        var asked = new AtomicInteger();
        var timers = new LatencyTimers(
                system, registry, Tags.empty(), new NameLimit(1, name -> asked.incrementAndGet() < 0));
        var actor = system.actor("orders").newActorWithReturn((Integer n) -> n);
        assertEquals(1, actor.call(1));
        while (asked.get() < NAMES.length) { // the reply may come before the measurement
            Thread.onSpinWait();
        }
        timers.close();
        assertEquals(2, actor.call(2));
        system.close();
        assertEquals(NAMES.length, asked.get());
    }

    /** The listener is called by a thread that measured a time before the close. */
    @Test
    void aTimeMeasuredDuringTheCloseAddsNoTimer() {
        var timers = new LatencyTimers(system, registry, Tags.of("system", "shop"), null);
        Actor<Integer> actor = system.actor("orders").newActor(n -> {});
        timers.close();
        timers.measured(actor, Latency.Kind.ASK, 1);
        assertEquals(0, registry.getMeters().size());
    }

    @Test
    void theTimersOfAnotherSystemOfTheSameNameAreLeftAlone() throws Exception {
        FibryMetrics.of(system).bindTo(registry);
        assertEquals(1, system.actor().newActorWithReturn((Integer n) -> n).call(1));
        system.close();
        FibryMetrics metrics;
        try (var second = shop(1)) {
            metrics = FibryMetrics.of(second);
            metrics.bindTo(registry);
            assertEquals(1, second.actor().newActorWithReturn((Integer n) -> n).call(1));
        }
        metrics.close();
        assertEquals(1, count("fibry.message.handler", "(others)"));
    }

    @Test
    void prometheusGetsHistogramsInSeconds() throws Exception {
        var prometheus = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        try (var timers = new LatencyTimers(system, prometheus, Tags.of("system", "shop"), null)) {
            Actor<Integer> actor = system.actor("orders").newActor(n -> {});
            timers.measured(actor, Latency.Kind.MAILBOX, Duration.ofMillis(1500).toNanos());
            String scrape = prometheus.scrape();
            assertTrue(
                    scrape.contains("fibry_message_mailbox_seconds_sum{actor=\"(others)\",system=\"shop\"} 1.5"),
                    scrape);
            assertTrue(
                    scrape.contains(
                            "fibry_message_mailbox_seconds_bucket{actor=\"(others)\",system=\"shop\",le=\"+Inf\"} 1"),
                    scrape);
            assertNotNull(prometheus.find("fibry.message.mailbox").timer());
        }
        prometheus.close();
    }
}
