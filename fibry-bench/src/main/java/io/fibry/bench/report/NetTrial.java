package io.fibry.bench.report;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fibry.bench.net.NetLoad;
import io.fibry.bench.net.NetPeer;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A server under the load of a client. The result has JMH's format. */
record NetTrial(NetLoad load, NetPeer server, Pace pace) implements Trial {

    static final String FILE = "network.json";

    static List<Trial> all(Pattern only, Pace pace) {
        var trials = new ArrayList<Trial>();
        for (NetLoad load : NetLoad.values()) {
            for (NetPeer peer : NetPeer.values()) {
                var trial = new NetTrial(load, peer, pace);
                if (load.isFor(peer) && only.matcher(trial.benchmark()).find()) {
                    trials.add(trial);
                }
            }
        }
        return trials;
    }

    @Override
    public String file() {
        return FILE;
    }

    @Override
    public String benchmark() {
        return "io.fibry.bench.net.NetLoad." + load.name().toLowerCase(Locale.ROOT);
    }

    @Override
    public SortedMap<String, String> params() {
        return new TreeMap<>(Map.of(PEER, server.name()));
    }

    @Override
    public @Nullable String cannot() {
        String cannot = server.cannot(load);
        String missing = cannot == null ? missing() : cannot;
        return missing != null || !pace.small() ? missing : Plan.leftToTheFullPass(this);
    }

    @Override
    public @Nullable String missing() {
        String missing = load.missing();
        return missing != null ? missing : server.missing();
    }

    /** A load with a fixed number of requests is not shortened. */
    @Override
    public double share() {
        return load == NetLoad.HTTP || load == NetLoad.HTTP_OPEN
                ? (double) pace.netSeconds() / Pace.full(1).netSeconds()
                : 1;
    }

    @Override
    public int forks() {
        return Plan.forks(this);
    }

    @Override
    public @Nullable Duration expected() {
        return Plan.fork(this);
    }

    /** For the 99th percentile. */
    @Override
    public double toleratedStalls() {
        return load == NetLoad.HTTP_OPEN ? 0.01 : 1;
    }

    @Override
    public JsonNode fork() throws IOException, InterruptedException {
        NetLoad.Result found = load.measure(server, pace.netSeconds(), Pace.JVM_OPTIONS);
        ObjectNode result = RawResults.JSON.createObjectNode();
        result.put("benchmark", benchmark());
        result.put("mode", load == NetLoad.HTTP_OPEN ? "sample" : "thrpt");
        result.put("forks", 1);
        result.putObject("params").put(PEER, server.name());
        result.set("primaryMetric", JmhMetric.of(found.value(), load.unit()));
        result.putObject("secondaryMetrics").set("failedRequests", JmhMetric.of((double) found.failed(), "requests"));
        return RawResults.JSON.createArrayNode().add(result);
    }
}
