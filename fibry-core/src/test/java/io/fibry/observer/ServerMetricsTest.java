package io.fibry.observer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.ActorSystem;
import io.fibry.ForwardingActor;
import io.fibry.Metric;
import io.fibry.MetricSource;
import io.fibry.http.HttpOptions;
import io.fibry.http.HttpRoutes;
import io.fibry.http.HttpServerActor;
import io.fibry.testing.Hostile;
import io.fibry.testing.NoLeftovers;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * The metrics of servers in the data of the page.
 *
 * <p>Seen to fail: without the metrics, without the order, with the metrics of the page, without the limit, with an
 * incomplete metric, and with a value that JSON does not have.
 */
@ExtendWith(NoLeftovers.class)
class ServerMetricsTest {

    private static final String OWN = "the page";

    private final ActorSystem system = ActorSystem.create();
    private final SnapshotFeed feed =
            new SnapshotFeed(system, () -> OWN, new IncidentLog(), ObserverOptions.defaults());

    @AfterEach
    void close() {
        system.close();
    }

    private static final class Source extends ForwardingActor<Void> implements MetricSource {

        private final Supplier<List<Metric>> metrics;

        Source(ActorSystem system, String name, Supplier<List<Metric>> metrics) {
            super(system.actor(name).newActor(ignored -> {}));
            this.metrics = metrics;
            beFoundByName();
        }

        @Override
        public List<Metric> metrics() {
            return metrics.get();
        }
    }

    private Source source(String name, Metric... metrics) {
        return new Source(system, name, () -> List.of(metrics));
    }

    /** The metrics in the overview, one per line. */
    private String metrics() {
        feed.open(null);
        try {
            var metrics = Pattern.compile("\"metrics\":\\[(.*?)]")
                    .matcher(feed.snapshot().overview());
            assertTrue(metrics.find());
            return metrics.group(1).replace("},{", "}\n{");
        } finally {
            feed.close(null);
        }
    }

    private static Metric gauge(@Nullable String name, double value) {
        return new Metric(name, Metric.Kind.GAUGE, "", Map.of(), value, "");
    }

    @Test
    void theyAreSortedByServerNameAndTags() {
        source(
                "orders",
                Metric.counter("orders.seen", 7, "Orders")
                        .tagged("state", "paid")
                        .tagged("land", "\u00e4<"),
                Metric.counter("orders.seen", 3_000_000_000L, "Orders").tagged("land", "a"),
                Metric.time("orders.age", Duration.ofMillis(1500), "Age"));
        source("a server", gauge("open", -1));
        assertEquals("""
            {"server":"a server","name":"open","tags":"","kind":"GAUGE","unit":"","value":-1.0}
            {"server":"orders","name":"orders.age","tags":"","kind":"GAUGE","unit":"seconds","value":1.5}
            {"server":"orders","name":"orders.seen","tags":"land=a","kind":"COUNTER","unit":"","value":3.0E9}
            {"server":"orders","name":"orders.seen","tags":"land=\\u00e4\\u003c, state=paid",\
            "kind":"COUNTER","unit":"","value":7.0}\
            """, metrics());
    }

    @Test
    void thoseOfASystemWithoutServersAndOfThePageItselfAreOmitted() {
        source(OWN, gauge("own", 1));
        assertEquals("", metrics());
    }

    @Test
    void aServerOfTheLibraryHasMetrics() {
        HttpServerActor.start(system.actor("shop"), 0, HttpRoutes.none(), HttpOptions.defaults());
        assertTrue(metrics().contains("{\"server\":\"shop\",\"name\":\"fibry.http.requests.active\","), metrics());
    }

    @Test
    void theyHaveALimit() {
        source(
                "large",
                IntStream.range(0, 1000).mapToObj(i -> gauge("metric" + i, i)).toArray(Metric[]::new));
        assertEquals(ServerMetrics.MOST, metrics().lines().count());
    }

    @Test
    void aFailureDoesNotAffectOthers() {
        new Source(system, "broken", () -> {
            throw new IllegalStateException("wanted");
        });
        source("odd", gauge("infinite", Double.POSITIVE_INFINITY), gauge("none", Double.NaN), gauge(null, 1));
        String metrics = metrics();
        assertFalse(metrics.contains("broken"), metrics);
        assertEquals(2, metrics.lines().count(), metrics);
        assertEquals(
                2,
                metrics.lines().filter(line -> line.endsWith("\"value\":null}")).count(),
                metrics);
    }

    @Test
    void hostileTextsArePlain() {
        Hostile.assertPlain(ServerMetrics.json(
                        gauge(Hostile.TEXT, 1).tagged("server", Hostile.TEXT).tagged("tag", Hostile.TEXT))
                .toString());
    }
}
