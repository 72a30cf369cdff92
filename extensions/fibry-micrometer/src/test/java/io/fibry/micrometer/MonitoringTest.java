package io.fibry.micrometer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.fibry.Actor;
import io.fibry.ActorSystem;
import io.fibry.Supervision;
import io.fibry.SystemOptions;
import io.fibry.http.HttpOptions;
import io.fibry.http.HttpRoutes;
import io.fibry.stereotypes.Stereotypes;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A real Prometheus scrapes a program with actors and servers: each query of the dashboard, and each metric of the
 * alerts, has a result. Seen to fail: with a misspelled metric in the dashboard, and in an alert.
 */
@Timeout(180)
class MonitoringTest {

    private static final Pattern METRIC = Pattern.compile("fibry_\\w+(\\{[^}]*})?");

    @TempDir
    private Path directory;

    @Test
    void eachQueryHasAResult() throws Exception {
        Prometheus.find("prometheus");
        var registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        var routes = HttpRoutes.none().get("/metrics", exchange -> registry.scrape());
        var options = HttpOptions.defaults().accessLog(HttpRequestTimer.of(registry));
        try (var shop = ActorSystem.create(SystemOptions.defaults().name("shop").latencySampling(1));
                var metrics = FibryMetrics.of(shop).actors(20);
                var page = Stereotypes.def().in(shop).named("page").embeddedHttpServer(0, routes, options);
                var datagrams = Stereotypes.def().in(shop).named("datagrams").udpServer(0, (packet, server) -> {});
                var lines = Stereotypes.def().in(shop).named("lines").tcpAcceptor(0, connection -> {})) {
            metrics.bindTo(registry);
            assertTrue(datagrams.port() > 0 && lines.port() > 0);
            Actor<Integer> orders = shop.actor("orders")
                    .supervision(Supervision.restart())
                    .newActorFrom(context -> order -> {
                        if (order == 0) {
                            throw new IllegalStateException("meant to fail");
                        }
                    });
            orders.tellAll(List.of(1, 0, 2));
            assertEquals(
                    8,
                    shop.actor("billing")
                            .newActorWithReturn((Integer n) -> n + 1)
                            .call(7));
            try (var prometheus = Prometheus.scrape(page.port(), directory)) {
                for (String query : Dashboard.read().queries("1m")) {
                    prometheus.await(query, () -> !prometheus.query(query).isEmpty());
                }
                prometheus.await(
                        "the failure is counted",
                        () -> !prometheus
                                .query("fibry_actor_failures_total{actor=\"orders\"} == 1")
                                .isEmpty());
                assertAlertsAreEvaluated(prometheus);
            }
        }
    }

    private static void assertAlertsAreEvaluated(Prometheus prometheus) throws Exception {
        prometheus.await(
                "all alerts are evaluated",
                () -> prometheus.alerts().findValuesAsText("health").stream().noneMatch("unknown"::equals));
        JsonNode alerts = prometheus.alerts();
        assertEquals(5, alerts.size());
        for (JsonNode alert : alerts) {
            assertEquals("ok", alert.get("health").asText(), alert::toString);
            List<String> selectors = METRIC.matcher(alert.get("query").asText())
                    .results()
                    .map(match -> match.group())
                    .toList();
            assertFalse(selectors.isEmpty(), alert::toString);
            for (String selector : selectors) {
                prometheus.await(selector, () -> !prometheus.query(selector).isEmpty());
            }
        }
    }
}
