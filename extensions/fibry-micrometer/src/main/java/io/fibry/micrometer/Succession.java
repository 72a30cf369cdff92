package io.fibry.micrometer;

import io.fibry.Metric;
import java.util.HashMap;
import java.util.Map;

/**
 * Keeps counters monotonic when an actor or a server ends and another one has its name before the next snapshot: the
 * counters of the successor continue from the counters of the predecessor. Otherwise a registry that publishes
 * increments would publish a negative number. A successor that has already counted more than its predecessor is not
 * detected. Not thread-safe.
 */
final class Succession {

    private record Count(double ofEnded, double last) {}

    private final Map<MeterKey, Count> counts = new HashMap<>();

    /** Adds the counts of predecessors to each counter. Removes the state of counters that no longer exist. */
    void countOn(Map<MeterKey, Metric> metrics) {
        counts.keySet().retainAll(metrics.keySet());
        metrics.replaceAll((key, metric) -> hasName(metric) ? countOn(key, metric) : metric);
    }

    /** The counters of a system are excluded: they are inexact while actors run, and may appear to decrease. */
    private static boolean hasName(Metric metric) {
        return metric.kind() == Metric.Kind.COUNTER
                && (metric.tags().containsKey("actor") || metric.tags().containsKey("server"));
    }

    private Metric countOn(MeterKey key, Metric metric) {
        Count before = counts.getOrDefault(key, new Count(0, 0));
        double ofEnded = before.ofEnded + (metric.value() < before.last ? before.last : 0);
        counts.put(key, new Count(ofEnded, metric.value()));
        return withValue(metric, ofEnded + metric.value());
    }

    static Metric withValue(Metric m, double value) {
        return new Metric(m.name(), m.kind(), m.unit(), m.tags(), value, m.description());
    }
}
