package io.fibry.bench.report;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fibry.bench.latency.Finding;
import io.fibry.bench.latency.Latency;
import io.fibry.bench.latency.LatencyPeer;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A measurement of latencies with one peer. The result has JMH's format: the median is the primary metric, and all
 * other values are secondary metrics.
 */
record LatencyTrial(Latency latency, LatencyPeer actors, SortedMap<String, String> params, Pace pace) implements Trial {

    static final String FILE = "latency.json";

    /** Returns all matching trials, with adjacent peers. */
    static List<Trial> all(Pattern only, Pace pace) {
        var trials = new ArrayList<Trial>();
        for (Latency latency : Latency.values()) {
            for (SortedMap<String, String> chosen : latency.cases()) {
                for (LatencyPeer peer : latency.peers()) {
                    var params = new TreeMap<>(chosen);
                    params.put(PEER, peer.name());
                    trials.add(new LatencyTrial(latency, peer, params, pace));
                }
            }
        }
        trials.removeIf(trial -> !only.matcher(trial.benchmark()).find());
        return trials;
    }

    @Override
    public String file() {
        return FILE;
    }

    @Override
    public String benchmark() {
        return latency.benchmark();
    }

    @Override
    public @Nullable String cannot() {
        return missing(); // unsupported peers are not participants
    }

    @Override
    public @Nullable String missing() {
        return actors.missing();
    }

    @Override
    public int forks() {
        return Plan.forks(this);
    }

    @Override
    public double share() {
        return (double) pace.netSeconds() / Pace.full(1).netSeconds();
    }

    @Override
    public @Nullable Duration expected() {
        return Plan.fork(this);
    }

    @Override
    public Duration measured() {
        return Duration.ofSeconds(pace.netSeconds());
    }

    /** For p99.9. */
    @Override
    public double toleratedStalls() {
        return 0.001;
    }

    @Override
    public JsonNode fork() throws IOException, InterruptedException {
        var others = new TreeMap<>(params);
        others.remove(PEER);
        return result(latency.measure(actors, others, pace.netSeconds(), Pace.JVM_OPTIONS));
    }

    JsonNode result(List<Finding> found) {
        return result(this, found);
    }

    /** Returns the results of a program as a result of JMH; the first one is the primary metric. */
    static JsonNode result(Trial trial, List<Finding> found) {
        ObjectNode result = RawResults.JSON.createObjectNode();
        result.put("benchmark", trial.benchmark()).put("mode", "sample").put("forks", 1);
        ObjectNode all = result.putObject("params");
        trial.params().forEach(all::put);
        result.set("primaryMetric", metric(found.getFirst()));
        ObjectNode secondary = result.putObject("secondaryMetrics");
        found.stream().skip(1).forEach(finding -> secondary.set(finding.name(), metric(finding)));
        return RawResults.JSON.createArrayNode().add(result);
    }

    private static ObjectNode metric(Finding found) {
        return JmhMetric.of(found.value(), found.unit());
    }
}
