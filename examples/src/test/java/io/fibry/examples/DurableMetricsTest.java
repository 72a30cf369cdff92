package io.fibry.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.ActorSystem;
import io.fibry.codec.RecordCodec;
import io.fibry.durable.Decision;
import io.fibry.durable.DurableEntities;
import io.fibry.durable.DurableOptions;
import io.fibry.durable.DurableType;
import io.fibry.durable.EventLog;
import io.fibry.durable.EventSourced;
import io.fibry.durable.JdbcStore;
import io.fibry.durable.Projection;
import io.fibry.durable.RunningProjection;
import io.fibry.http.HttpServerActor;
import io.fibry.micrometer.FibryMetrics;
import io.fibry.observer.ObserverOptions;
import io.fibry.stereotypes.Stereotypes;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The metrics of an H2 store with entities, stored messages, a due reminder and a projection: their values in
 * Micrometer, in the data of the live page, and on the page in a browser.
 *
 * <p>The store has three changes, each in a transaction of its own; two messages and a reminder that always fail; and a
 * projection that waits in its first event.
 *
 * <p>Seen to fail: without the count of transactions, if the time of changes or the events
 * of the projection are not counted, and if messages and reminders are swapped.
 */
@Timeout(120)
class DurableMetricsTest {

    sealed interface Command {
        record Add(long number) implements Command {}

        record Leave() implements Command {}

        record Fail() implements Command {}
    }

    record Added(long number) {}

    private static final DurableType<Command, Long> BOX =
            DurableType.of("box", RecordCodec.of(Command.class), RecordCodec.of(Long.class));

    private static final class Box implements EventSourced<Long, Command, Added, Long> {

        @Override
        public Long initial() {
            return 0L;
        }

        @Override
        public Decision<Added, Long> decide(Long sum, Command command) {
            return switch (command) {
                case Command.Add add -> Decision.to(new Added(add.number()), sum + add.number());
                case Command.Leave leave ->
                    Decision.to(
                            new Added(0),
                            sum,
                            BOX.send("bob", new Command.Fail()),
                            BOX.send("carol", new Command.Fail()),
                            BOX.remind("late", Duration.ZERO, new Command.Fail()));
                case Command.Fail fail -> throw new IllegalStateException("the test wants this failure");
            };
        }

        @Override
        public Long apply(Long sum, Added event) {
            return sum + event.number();
        }
    }

    private final ActorSystem system = ActorSystem.create();
    private final CountDownLatch released = new CountDownLatch(1);
    private JdbcStore store;
    private RunningProjection projection;

    @BeforeEach
    void open(@TempDir Path folder) throws Exception {
        store = JdbcStore.h2(folder.resolve("boxes"));
        var log = EventLog.of(store, BOX, RecordCodec.of(Added.class), new Box());
        var boxes = DurableEntities.start(system.actor(), log, DurableOptions.defaults());
        projection =
                Projection.toConsumer("copy", log, event -> released.await()).start();
        projection.publishMetrics(system);
        for (Command command : List.of(new Command.Add(1), new Command.Add(2), new Command.Leave())) {
            assertTrue(boxes.ref("alice").ask(command, Duration.ofSeconds(60)).join() > 0);
        }
    }

    @AfterEach
    void close() {
        released.countDown();
        projection.close();
        system.close();
        store.close();
    }

    /** Checks metrics by their server and name, which a look returns. */
    private void check(Supplier<Map<String, Double>> look) {
        Map<String, Double> metrics = await(
                look,
                all -> value(all, "box, stored messages fibry.durable.messages") > 0
                        && value(all, "box, stored messages fibry.durable.reminders") > 0
                        && value(all, "projection-copy fibry.projection.lag") > 0);
        assertEquals(3, metrics.get("box, stored messages fibry.durable.changes"), metrics.toString());
        assertEquals(3, metrics.get("box, stored messages fibry.durable.transactions"), metrics.toString());
        assertTrue(metrics.get("box, stored messages fibry.durable.change.time") > 0, metrics.toString());
        assertEquals(2, metrics.get("box, stored messages fibry.durable.messages"), metrics.toString());
        assertEquals(1, metrics.get("box, stored messages fibry.durable.reminders"), metrics.toString());
        assertEquals(0, metrics.get("projection-copy fibry.projection.events"), metrics.toString());
        released.countDown();
        metrics = await(
                look,
                all -> value(all, "projection-copy fibry.projection.events") == 3
                        && value(all, "projection-copy fibry.projection.lag") == 0);
        assertEquals(0, metrics.get("projection-copy fibry.projection.stopped"), metrics.toString());
        assertEquals(3, metrics.get("box, stored messages fibry.durable.changes"), metrics.toString());
    }

    private static double value(Map<String, Double> metrics, String name) {
        return metrics.getOrDefault(name, 0.0);
    }

    /** The deadline of the test limits the wait, and interrupts it. */
    private static Map<String, Double> await(
            Supplier<Map<String, Double>> look, Predicate<Map<String, Double>> condition) {
        Map<String, Double> metrics = look.get();
        while (!condition.test(metrics)) {
            LockSupport.parkNanos(Duration.ofMillis(2).toNanos());
            assertFalse(Thread.interrupted(), metrics.toString());
            metrics = look.get();
        }
        return metrics;
    }

    @Test
    void throughMicrometer() {
        var registry = new SimpleMeterRegistry();
        FibryMetrics.of(system).bindTo(registry);
        check(() -> {
            Map<String, Double> metrics = new TreeMap<>();
            for (Meter meter : registry.getMeters()) {
                metrics.put(
                        meter.getId().getTag("server") + " " + meter.getId().getName(),
                        meter.measure().iterator().next().getValue());
            }
            return metrics;
        });
    }

    private HttpServerActor page() {
        return Stereotypes.def()
                .in(system)
                .observer(0, ObserverOptions.defaults().interval(Duration.ofMillis(200)));
    }

    @Test
    void inTheDataOfThePage() throws Exception {
        var events = HttpRequest.newBuilder(URI.create("http://localhost:" + page().port() + "/events"))
                .build();
        try (var client = HttpClient.newHttpClient();
                var lines = client.send(events, BodyHandlers.ofLines()).body()) {
            Iterator<String> overviews = lines.filter(line -> line.startsWith("data:") && line.contains("\"metrics\""))
                    .iterator();
            check(() -> {
                JsonNode overview =
                        JsonMapper.shared().readTree(overviews.next().substring("data:".length()));
                Map<String, Double> metrics = new TreeMap<>();
                for (JsonNode metric : overview.get("metrics")) {
                    metrics.put(
                            metric.get("server").asString() + " "
                                    + metric.get("name").asString(),
                            metric.get("value").asDouble());
                }
                return metrics;
            });
            client.shutdownNow();
        }
    }

    /** A cell displays a rounded number. Its tooltip has the value and the unit. */
    @Test
    void onThePage() {
        var browser = Browser.open(1600, 1200);
        try {
            browser.get("http://localhost:" + page().port());
            check(() -> {
                var rows = (List<?>)
                        browser.executeScript("return [...document.querySelectorAll('#metrics:not([hidden]) tbody tr')]"
                                + ".map(row => [row.cells[0].textContent + ' ' + row.cells[1].textContent,"
                                + " row.cells[2].title.split(' ')[0], row.cells[2].textContent])");
                Map<String, Double> metrics = new TreeMap<>();
                for (Object row : rows) {
                    var cells = (List<?>) row;
                    double value = Double.parseDouble(String.valueOf(cells.get(1)));
                    metrics.put(String.valueOf(cells.get(0)), value);
                    String shown = String.valueOf(cells.get(2));
                    assertTrue(shown.startsWith(value == (long) value ? "" + (long) value : ""), row::toString);
                    assertFalse(shown.isEmpty(), row::toString);
                }
                return metrics;
            });
        } finally {
            browser.quit();
        }
    }
}
