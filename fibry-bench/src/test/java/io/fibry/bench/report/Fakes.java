package io.fibry.bench.report;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Results and trials without measurements. */
final class Fakes {

    private Fakes() {}

    static Figure figure(String benchmark, String peer, String unit, Double... forks) {
        return new Figure(
                Question.of(benchmark, Map.of(), ""),
                peer,
                unit.startsWith("ops"),
                unit,
                Arrays.asList(forks),
                List.of());
    }

    /**
     * Creates a trial whose n-th fork has the value n; {@code failsIn} is the failing fork, and {@code endsIn} the fork
     * that ends the pass.
     */
    record FakeTrial(String peer, @Nullable String cannot, int failsIn, int endsIn, List<String> order)
            implements Trial {

        static FakeTrial of(String peer, List<String> order) {
            return new FakeTrial(peer, null, 0, 0, order);
        }

        @Override
        public String file() {
            return JmhTrial.FILE;
        }

        @Override
        public String benchmark() {
            return "some.Ring.hop";
        }

        @Override
        public SortedMap<String, String> params() {
            return new TreeMap<>(Map.of(PEER, peer, "size", "3"));
        }

        @Override
        public JsonNode fork() throws IOException {
            order.add(peer);
            int fork = (int) order.stream().filter(peer::equals).count();
            if (fork == endsIn) {
                throw new AssertionError("killed");
            }
            if (fork == failsIn) {
                throw new IOException("no more memory");
            }
            return result(benchmark(), params(), fork);
        }
    }

    /** Creates a trial as {@link FakeTrial#of}, which is sensitive to stalls. */
    record StallTrial(FakeTrial trial) implements Trial {

        StallTrial(String peer, List<String> order) {
            this(FakeTrial.of(peer, order));
        }

        @Override
        public String file() {
            return trial.file();
        }

        @Override
        public String benchmark() {
            return trial.benchmark();
        }

        @Override
        public SortedMap<String, String> params() {
            return trial.params();
        }

        @Override
        public String cannot() {
            return null;
        }

        @Override
        public double toleratedStalls() {
            return 0.001;
        }

        @Override
        public JsonNode fork() throws IOException {
            return trial.fork();
        }
    }

    /** Creates a trial with a missing program. */
    record LackingTrial(String peer, String missing) implements Trial {

        @Override
        public String file() {
            return NetTrial.FILE;
        }

        @Override
        public String benchmark() {
            return "some.Load.tcp";
        }

        @Override
        public SortedMap<String, String> params() {
            return new TreeMap<>(Map.of(PEER, peer));
        }

        @Override
        public String cannot() {
            return missing;
        }

        @Override
        public JsonNode fork() {
            throw new AssertionError("it cannot run");
        }
    }

    static ArrayNode result(String benchmark, Map<String, String> params, double value) {
        ObjectNode result = RawResults.JSON.createObjectNode();
        result.put("benchmark", benchmark).put("mode", "avgt").put("forks", 1).put("jvm", "/some/folder/bin/java");
        ObjectNode all = result.putObject("params");
        params.forEach(all::put);
        result.set("primaryMetric", JmhMetric.of(value, "ns/op"));
        result.putObject("secondaryMetrics").set("peakMemory", JmhMetric.of(100 * value, "B"));
        return RawResults.JSON.createArrayNode().add(result);
    }

    static List<String> order() {
        return new ArrayList<>();
    }
}
