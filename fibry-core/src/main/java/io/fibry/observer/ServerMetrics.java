package io.fibry.observer;

import io.fibry.ActorSystem;
import io.fibry.Metric;
import io.fibry.dispatch.JsonObject;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

/** The metrics of the servers and of the other {@link io.fibry.MetricSource} actors, by server and name. */
final class ServerMetrics {

    static final int MOST = 100;

    private static final String SERVER = "server";

    private static final Comparator<Metric> ORDER = Comparator.comparing(ServerMetrics::server)
            .thenComparing(Metric::name)
            .thenComparing(ServerMetrics::otherTags);

    private ServerMetrics() {}

    /** Returns at most {@value #MOST} metrics, without those of the page itself. */
    static List<Metric> take(ActorSystem system, String ownName) {
        return system.metrics().stream()
                .filter(metric -> metric.tags().containsKey(SERVER))
                .filter(metric -> !server(metric).equals(ownName) && isComplete(metric))
                .sorted(ORDER)
                .limit(MOST)
                .toList();
    }

    /** The actors of users create metrics, and an incomplete one must not end the page. */
    private static boolean isComplete(Metric metric) {
        return Objects.nonNull(metric.name()) && Objects.nonNull(metric.kind()) && Objects.nonNull(metric.unit());
    }

    /** JSON has no infinite values. */
    static JsonObject json(Metric metric) {
        double value = metric.value();
        return new Json()
                .text(SERVER, server(metric))
                .text("name", metric.name())
                .text("tags", otherTags(metric))
                .text("kind", metric.kind().name())
                .text("unit", metric.unit())
                .plain("value", Double.isFinite(value) ? value : "null");
    }

    private static String server(Metric metric) {
        return metric.tags().getOrDefault(SERVER, "");
    }

    /** The tags of a metric have no order. */
    private static String otherTags(Metric metric) {
        return metric.tags().entrySet().stream()
                .filter(tag -> !tag.getKey().equals(SERVER))
                .sorted(Map.Entry.comparingByKey())
                .map(tag -> tag.getKey() + "=" + tag.getValue())
                .collect(Collectors.joining(", "));
    }
}
