package io.fibry.bench.report;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fibry.bench.net.Programs;
import io.fibry.bench.savina.Savina;
import io.fibry.bench.savina.SavinaMain;
import io.fibry.bench.savina.Worlds;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A workload of the Savina suite with one peer, in a separate JVM. The result has JMH's format. */
record SavinaTrial(Savina workload, Worlds world) implements Trial {

    static final String FILE = "savina.json";
    private static final String BENCHMARK = Savina.class.getName() + ".";
    private static final String MILLIS = " ms";
    private static final String WAKE_UPS = " wake-ups";

    /** Returns all workloads whose full names match, with adjacent peers. */
    static List<Trial> all(Pattern only) {
        var trials = new ArrayList<Trial>();
        for (Savina workload : Savina.ALL) {
            for (Worlds world : Worlds.values()) {
                var trial = new SavinaTrial(workload, world);
                if (only.matcher(trial.benchmark()).find()) {
                    trials.add(trial);
                }
            }
        }
        return trials;
    }

    /** Returns the workload of the question; null if it is not a workload of the suite. */
    static @Nullable Savina workload(Question question) {
        return question.benchmark().startsWith(BENCHMARK)
                ? Savina.of(question.benchmark().substring(BENCHMARK.length()))
                : null;
    }

    @Override
    public String file() {
        return FILE;
    }

    @Override
    public String benchmark() {
        return BENCHMARK + workload.name();
    }

    @Override
    public SortedMap<String, String> params() {
        return new TreeMap<>(Map.of(PEER, world.name()));
    }

    @Override
    public @Nullable String cannot() {
        return null;
    }

    @Override
    public @Nullable Duration expected() {
        return Plan.fork(this);
    }

    @Override
    public JsonNode fork() throws IOException, InterruptedException {
        List<String> command = Programs.java(SavinaMain.class, Pace.JVM_OPTIONS, workload.name(), world.name());
        return result(Programs.run(command));
    }

    /** Parses the output of the program as a result. */
    JsonNode result(String output) throws IOException {
        List<Double> iterations = output.lines()
                .filter(line -> line.matches("[\\d.]+" + MILLIS))
                .map(line -> Double.valueOf(line.replace(MILLIS, "")))
                .toList();
        if (iterations.isEmpty()) {
            throw new IOException("the program has printed no times: " + output.strip());
        }
        ObjectNode result = RawResults.JSON.createObjectNode();
        result.put("benchmark", benchmark());
        result.put("mode", "ss");
        result.put("forks", 1);
        result.putObject("params").put(PEER, world.name());
        result.set("primaryMetric", JmhMetric.of(iterations, "ms/op"));
        ObjectNode secondary = result.putObject("secondaryMetrics");
        output.lines()
                .filter(line -> line.matches("\\d+" + WAKE_UPS))
                .map(line -> Double.valueOf(line.replace(WAKE_UPS, "")))
                .forEach(wakeUps -> secondary.set(Question.WAKE_UPS, JmhMetric.of(wakeUps, "#/op")));
        return RawResults.JSON.createArrayNode().add(result);
    }
}
