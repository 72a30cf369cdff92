package io.fibry.bench.report;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import org.openjdk.jmh.util.ListStatistics;

/** A primary or secondary metric in a result file of JMH. */
final class JmhMetric {

    private static final double CONFIDENCE = 0.999; // as JMH

    private JmhMetric() {}

    /** Returns a metric of one fork with one value. */
    static ObjectNode of(double value, String unit) {
        return of(List.of(value), unit);
    }

    /** Returns a metric of one fork with a value for each iteration. */
    static ObjectNode of(List<Double> values, String unit) {
        ObjectNode metric = RawResults.JSON.createObjectNode();
        ArrayNode fork = metric.putArray("rawData").addArray();
        values.forEach(fork::add);
        metric.put("scoreUnit", unit);
        summarise(metric);
        return metric;
    }

    /** Adds the forks of another metric, and recomputes the summary over all of them, like JMH. */
    static void merge(ObjectNode metric, JsonNode more) {
        for (String raw : List.of("rawData", "rawDataHistogram")) {
            if (metric.get(raw) instanceof ArrayNode forks && more.get(raw) instanceof ArrayNode others) {
                forks.addAll(others);
            }
        }
        summarise(metric);
    }

    /** Returns a value for each fork: the median of its iterations or samples. */
    static List<Double> forks(JsonNode metric) {
        return values(metric).stream().map(Statistics::median).toList();
    }

    private static List<List<Double>> values(JsonNode metric) {
        var forks = new ArrayList<List<Double>>();
        for (JsonNode fork : metric.path("rawData")) {
            var values = new ArrayList<Double>();
            fork.forEach(value -> values.add(value.asDouble()));
            forks.add(values);
        }
        for (JsonNode fork : metric.path("rawDataHistogram")) {
            var values = new ArrayList<Double>();
            for (JsonNode iteration : fork) {
                for (JsonNode bucket : iteration) { // a value and its frequency
                    values.addAll(java.util.Collections.nCopies(
                            bucket.get(1).asInt(), bucket.get(0).asDouble()));
                }
            }
            forks.add(values);
        }
        if (forks.isEmpty()) {
            forks.add(List.of(metric.path("score").asDouble()));
        }
        return forks;
    }

    private static void summarise(ObjectNode metric) {
        var all = new ListStatistics(values(metric).stream()
                .flatMap(List::stream)
                .mapToDouble(Double::doubleValue)
                .toArray());
        put(metric, "score", all.getMean());
        put(metric, "scoreError", all.getMeanErrorAt(CONFIDENCE));
        ArrayNode interval = metric.putArray("scoreConfidence");
        for (double end : all.getConfidenceIntervalAt(CONFIDENCE)) {
            interval.add(end);
        }
        ObjectNode percentiles = metric.putObject("scorePercentiles");
        for (String percent :
                List.of("0.0", "50.0", "90.0", "95.0", "99.0", "99.9", "99.99", "99.999", "99.9999", "100.0")) {
            put(percentiles, percent, all.getPercentile(Double.parseDouble(percent)));
        }
    }

    /** Writes NaN as a string, like JMH: JSON has no NaN. */
    private static void put(ObjectNode node, String name, double value) {
        if (Double.isNaN(value)) {
            node.put(name, "NaN");
        } else {
            node.put(name, value);
        }
    }
}
