package io.fibry.bench.report;

import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** A result file in JMH's format, to which forks can be added one by one. */
final class RawResults {

    static final ObjectMapper JSON = new ObjectMapper();

    private static final String ROUND_TRIPS = "cacheLineRoundTrips";

    private final Map<String, ObjectNode> results = new LinkedHashMap<>();

    /** Reads a file of JMH or of this class; a missing file has no results. */
    static RawResults read(Path file) throws IOException {
        var read = new RawResults();
        if (Files.exists(file)) {
            JsonNode root = JSON.readTree(file.toFile());
            if (!root.isArray()) {
                throw new IOException(file + " is no result file of JMH: it holds no array.");
            }
            read.add(root);
        }
        return read;
    }

    /** Adds the results of further forks. */
    void add(JsonNode array) {
        for (JsonNode result : array) {
            var copy = (ObjectNode) result.deepCopy();
            if (copy.has("jvm")) { // the folder is irrelevant to the result
                copy.put("jvm", Path.of(copy.get("jvm").asText()).getFileName().toString());
            }
            ObjectNode known = results.putIfAbsent(key(copy), copy);
            if (known != null) {
                merge(known, copy);
            }
        }
    }

    /** Puts the round trip of a cache line during a fork into the results of the fork; NaN if it is unknown. */
    static void putRoundTrip(JsonNode array, double nanos) {
        for (JsonNode result : array) {
            ArrayNode times = ((ObjectNode) result).putArray(ROUND_TRIPS);
            if (Double.isNaN(nanos)) {
                times.addNull();
            } else {
                times.add(Math.round(nanos));
            }
        }
    }

    private static String key(JsonNode result) {
        return result.path("benchmark").asText() + " " + params(result) + " "
                + result.path("mode").asText();
    }

    private static void merge(ObjectNode known, ObjectNode more) {
        known.put(
                "forks",
                Math.max(1, known.path("forks").asInt())
                        + Math.max(1, more.path("forks").asInt()));
        JmhMetric.merge((ObjectNode) known.get("primaryMetric"), more.get("primaryMetric"));
        if (known.get(ROUND_TRIPS) instanceof ArrayNode times && more.get(ROUND_TRIPS) instanceof ArrayNode others) {
            times.addAll(others);
        }
        JsonNode secondary = known.path("secondaryMetrics");
        for (var metric : secondary.properties()) {
            JmhMetric.merge(
                    (ObjectNode) metric.getValue(),
                    more.path("secondaryMetrics").path(metric.getKey()));
        }
    }

    /** Removes all forks of a trial. */
    void remove(Trial trial) {
        results.values().removeIf(result -> isOf(trial, result));
    }

    private static boolean isOf(Trial trial, JsonNode result) {
        return result.path("benchmark").asText().equals(trial.benchmark())
                && params(result).equals(trial.params());
    }

    /** Returns the number of forks of a trial. */
    int forks(Trial trial) {
        return results.values().stream()
                .filter(result -> isOf(trial, result))
                .mapToInt(result -> JmhMetric.forks(result.get("primaryMetric")).size())
                .min()
                .orElse(0);
    }

    List<Figure> figures() {
        var figures = new ArrayList<Figure>();
        for (ObjectNode result : results.values()) {
            figures.add(figure(result, "", result.get("primaryMetric")));
            for (var metric : result.path("secondaryMetrics").properties()) {
                figures.add(figure(result, metric.getKey(), metric.getValue()));
            }
        }
        return figures;
    }

    private static Figure figure(JsonNode result, String name, JsonNode metric) {
        Map<String, String> params = params(result);
        String unit = metric.path("scoreUnit").asText();
        return new Figure(
                Question.of(result.path("benchmark").asText(), params, name),
                params.getOrDefault(Trial.PEER, ""),
                unit.startsWith("ops/") || unit.endsWith("/s") || name.equals("answeredInTime"),
                unit,
                JmhMetric.forks(metric),
                roundTrips(result));
    }

    private static List<Double> roundTrips(JsonNode result) {
        var times = new ArrayList<Double>();
        result.path(ROUND_TRIPS).forEach(time -> times.add(time.isNull() ? Double.NaN : time.asDouble()));
        return times;
    }

    private static SortedMap<String, String> params(JsonNode result) {
        var params = new TreeMap<String, String>();
        result.path("params")
                .properties()
                .forEach(p -> params.put(p.getKey(), p.getValue().asText()));
        return params;
    }

    /** Writes the file atomically, so that the process can be killed at any time. */
    void write(Path file) throws IOException {
        ArrayNode array = JSON.createArrayNode();
        array.addAll(results.values());
        write(file, array);
    }

    static void write(Path file, JsonNode content) throws IOException {
        var printer = new DefaultPrettyPrinter();
        printer.indentObjectsWith(new DefaultIndenter("  ", "\n"));
        Path beside = file.resolveSibling(file.getFileName() + ".part");
        Files.writeString(beside, JSON.writer(printer).writeValueAsString(content) + "\n");
        Files.move(beside, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
    }
}
