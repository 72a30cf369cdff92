package io.fibry.micrometer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.Actor;
import io.fibry.ActorSystem;
import io.fibry.SystemOptions;
import io.fibry.stereotypes.Stereotypes;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The meters in a Prometheus registry. Seen to fail: with a snapshot for each meter, without the limit of names, with
 * meters that are never removed, and with names that are not valid text.
 */
@Timeout(60)
class FibryMetricsTest {

    private static final long SECOND = Duration.ofSeconds(1).toNanos();

    private final ActorSystem system =
            ActorSystem.create(SystemOptions.defaults().name("shop"));
    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final AtomicLong now = new AtomicLong();
    private final AtomicInteger filtered = new AtomicInteger();

    @AfterEach
    void close() {
        system.close();
        registry.close();
    }

    private FibryMetrics bind(int actors, Predicate<String> wanted) {
        var metrics =
                new FibryMetrics(system, Tags.of("system", "shop"), 0, name -> true, now::get).actors(actors, wanted);
        metrics.bindTo(registry);
        return metrics;
    }

    /** Returns a scrape long after the previous one. The first scrape may add meters, which the second one shows. */
    private String scrape() {
        now.addAndGet(SECOND);
        registry.scrape();
        return registry.scrape();
    }

    private static void assertLine(String scrape, String line) {
        assertTrue(scrape.lines().anyMatch(line::equals), () -> line + " in\n" + scrape);
    }

    private void awaitHandled(long messages) throws InterruptedException {
        while (system.stats().handled() != messages) {
            TimeUnit.MILLISECONDS.sleep(1);
        }
    }

    private Set<String> values(String key) {
        return registry.getMeters().stream()
                .map(meter -> meter.getId().getTag(key))
                .filter(value -> value != null)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    @Test
    void messagesOfTimersAreCountedByTheirSource() throws Exception {
        bind(10, name -> true);
        Actor<String> actor = system.actor("clock").newActorFrom(context -> message -> {
            if (message.equals("begin")) {
                context.after(Duration.ofMillis(1), "tick");
            }
        });
        actor.tell("begin");
        awaitHandled(2);
        String scrape = scrape();
        assertLine(scrape, "fibry_messages_total{end=\"handled\",system=\"shop\"} 2.0");
        assertLine(scrape, "fibry_messages_handled_total{source=\"sent\",system=\"shop\"} 1.0");
        assertLine(scrape, "fibry_messages_handled_total{source=\"timer\",system=\"shop\"} 1.0");
        assertLine(scrape, "fibry_actor_handled_total{actor=\"clock\",system=\"shop\"} 2.0");
    }

    @Test
    void aScrapeShowsHowMessagesEndedAndHowManyWait() throws Exception {
        bind(10, name -> true);
        var turns = new Semaphore(0);
        var running = new CountDownLatch(1);
        Actor<Integer> slow = system.actor("slow").newActor(n -> {
            running.countDown();
            turns.acquireUninterruptibly();
        });
        IntStream.range(0, 4).forEach(slow::tell);
        running.await();
        String busy = scrape();
        assertLine(busy, "fibry_messages_total{end=\"handled\",system=\"shop\"} 0.0");
        assertLine(busy, "fibry_messages_waiting{system=\"shop\"} 3.0");
        assertLine(busy, "fibry_actors{state=\"running\",system=\"shop\"} 1.0");
        assertLine(busy, "fibry_actor_messages_waiting{actor=\"slow\",system=\"shop\"} 3.0");
        assertLine(busy, "fibry_actor_messages_waiting{actor=\"(others)\",system=\"shop\"} 0.0");
        assertTrue(busy.contains("\nfibry_handlers_longest_seconds{system=\"shop\"} "), busy);
        turns.release(4);
        awaitHandled(4);
        String quiet = scrape();
        assertLine(quiet, "fibry_messages_total{end=\"handled\",system=\"shop\"} 4.0");
        assertLine(quiet, "fibry_messages_waiting{system=\"shop\"} 0.0");
        assertLine(quiet, "fibry_actor_handled_total{actor=\"slow\",system=\"shop\"} 4.0");
    }

    @Test
    void aScrapeTakesOneSnapshot() {
        system.actor("a").newSink(null);
        bind(10, name -> {
            filtered.incrementAndGet();
            return false;
        });
        scrape();
        filtered.set(0);
        scrape();
        assertEquals(1, filtered.get());
        registry.scrape();
        assertEquals(1, filtered.get());
        now.addAndGet(SECOND);
        registry.scrape();
        assertEquals(2, filtered.get());
    }

    @Test
    void aThousandAnonymousActorsGiveNoNewMeter() {
        bind(10, name -> true);
        scrape();
        int before = registry.getMeters().size();
        var actors = new ArrayList<Actor<Object>>();
        for (int i = 0; i < 1_000; i++) {
            Actor<Object> actor = system.actor().label("label " + i).newActor(message -> {});
            actor.tell(i);
            actors.add(actor);
        }
        scrape();
        assertEquals(before, registry.getMeters().size());
        assertEquals(Set.of("(others)"), values("actor"));
        actors.forEach(Actor::close);
    }

    @Test
    void namesAreLimitedForTheLifeOfTheBinding() {
        bind(2, name -> !name.startsWith("session-"));
        for (int i = 0; i < 10; i++) {
            var session = system.actor("session-" + i).newSink(null);
            var worker = system.actor("worker-" + i).newSink(null);
            scrape();
            var expected = i < 2 ? Set.of("(others)", "worker-" + i) : Set.of("(others)");
            assertEquals(expected, values("actor"));
            session.close();
            worker.close();
        }
        var again = system.actor("worker-0").newSink(null);
        scrape();
        assertEquals(Set.of("(others)", "worker-0"), values("actor"));
        again.close();
    }

    @Test
    void hostileNamesStayAsTheyAre() {
        bind(100, name -> true);
        var hostile = List.of("a\"} 1\nfibry_actors 7", "\\n", "{}=,", "é🙂", "\u0000\u001b[31m", "a\r\nb", "(others)");
        var broken = List.of("\ud800", "\ud801"); // two halves of characters would both be sent as a question mark
        var actors = new ArrayList<Actor<?>>();
        hostile.forEach(name -> actors.add(system.actor(name).newSink(null)));
        broken.forEach(name -> actors.add(system.actor(name).newSink(null)));
        String text = scrape();
        assertEquals(new TreeSet<>(hostile), values("actor"));
        Set<String> shown = Arrays.stream(text.split("\n"))
                .filter(line -> line.startsWith("fibry_actor_messages_waiting{"))
                .map(line -> line.substring(line.indexOf('"') + 1, line.indexOf("\",system=\"shop\"} ")))
                .map(FibryMetricsTest::unescaped)
                .collect(Collectors.toSet());
        assertEquals(Set.copyOf(hostile), shown);
        assertFalse(text.lines().anyMatch("fibry_actors 7"::equals), text);
        actors.forEach(Actor::close);
    }

    /** As Prometheus reads it. */
    private static String unescaped(String label) {
        return label.replace("\\\\", "\ue000")
                .replace("\\n", "\n")
                .replace("\\\"", "\"")
                .replace("\ue000", "\\");
    }

    @Test
    void serversHaveMetersAsLongAsTheyLive() {
        bind(0, name -> true);
        var http = Stereotypes.def().in(system).named("web").embeddedHttpServer(0, exchange -> "hello");
        assertLine(scrape(), "fibry_http_responses_total{server=\"web\",status=\"2xx\",system=\"shop\"} 0.0");
        assertEquals(Set.of("web"), values("server"));
        assertEquals(Set.of(), values("actor"));
        http.close();
        scrape();
        assertEquals(Set.of(), values("server"));
        assertFalse(scrape().contains("fibry_http"));
    }

    @Test
    void namesThatComeAndGoWhileSeveralThreadsScrape() throws Exception {
        bind(1_000, name -> true);
        var failures = new ArrayList<Throwable>();
        var scrapers = new ArrayList<Thread>();
        var over = new CountDownLatch(1);
        for (int i = 0; i < 3; i++) {
            scrapers.add(Thread.ofPlatform()
                    .uncaughtExceptionHandler((thread, failure) -> {
                        synchronized (failures) {
                            failures.add(failure);
                        }
                    })
                    .start(() -> {
                        while (over.getCount() > 0) {
                            now.addAndGet(SECOND);
                            registry.scrape();
                        }
                    }));
        }
        for (int i = 0; i < 300; i++) {
            var actor = system.actor("a" + i % 7).newSink(null);
            registry.getMeters().forEach(Meter::measure);
            actor.close();
        }
        over.countDown();
        for (Thread scraper : scrapers) {
            scraper.join();
        }
        assertEquals(List.of(), failures);
        scrape();
        assertEquals(Set.of("(others)"), values("actor"));
    }

    @Test
    void aClosedSystemHasItsLastNumbers() throws Exception {
        var metrics = bind(10, name -> true);
        var actor = system.actor("last").newSink(null);
        actor.execute(() -> {});
        awaitHandled(1);
        assertTrue(system.close(Duration.ofSeconds(10)));
        assertLine(scrape(), "fibry_messages_total{end=\"handled\",system=\"shop\"} 1.0");
        assertLine(scrape(), "fibry_actors{state=\"idle\",system=\"shop\"} 0.0");
        metrics.close();
        assertEquals(List.of(), registry.getMeters());
        scrape();
        assertEquals(List.of(), registry.getMeters());
        bind(10, name -> true); // also now
        assertLine(scrape(), "fibry_messages_total{end=\"handled\",system=\"shop\"} 1.0");
    }

    @Test
    void twoSystemsOfOneNameNeedOtherValuesOfTags() {
        bind(0, name -> true);
        try (var second = ActorSystem.create(SystemOptions.defaults().name("shop"))) {
            FibryMetrics.of(second).tags(List.of(Tag.of("system", "b"))).bindTo(registry);
            String both = scrape();
            assertLine(both, "fibry_failures_total{system=\"shop\"} 0.0");
            assertLine(both, "fibry_failures_total{system=\"b\"} 0.0");
        }
    }

    @Test
    void aSystemIsGarbageAfterTheMetersAreGone() throws Exception {
        var metrics = new ArrayList<FibryMetrics>();
        var closed = new WeakReference<>(bound(metrics, registry));
        metrics.removeFirst().close();
        var forgotten =
                new WeakReference<>(bound(new ArrayList<>(), new PrometheusMeterRegistry(PrometheusConfig.DEFAULT)));
        while (closed.get() != null || forgotten.get() != null) {
            System.gc();
            TimeUnit.MILLISECONDS.sleep(10);
        }
        assertNull(closed.get());
    }

    private static ActorSystem bound(List<FibryMetrics> metrics, PrometheusMeterRegistry registry) {
        var bound = ActorSystem.create(SystemOptions.defaults().name("other"));
        metrics.add(FibryMetrics.of(bound));
        metrics.getFirst().bindTo(registry);
        registry.scrape();
        return bound;
    }

    @Test
    void aNegativeLimitIsRefused() {
        assertThrows(
                IllegalArgumentException.class, () -> FibryMetrics.of(system).actors(-1));
    }
}
