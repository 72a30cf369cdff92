package io.fibry.bench.report;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What is asked of all peers: a benchmark with its parameters, and which of its results.
 *
 * @param benchmark the full name
 * @param params all parameters but the peer
 * @param metric the name of a secondary result; empty for the primary one
 */
record Question(String benchmark, SortedMap<String, String> params, String metric) implements Comparable<Question> {

    static Question of(String benchmark, Map<String, String> params, String metric) {
        var others = new TreeMap<>(params);
        others.remove(Trial.PEER);
        return new Question(benchmark, others, metric);
    }

    /** The class and the method of the benchmark, without package: what goals and regular expressions name. */
    String name() {
        List<String> parts = List.of(benchmark.split("\\.", -1));
        return String.join(".", parts.subList(Math.max(0, parts.size() - 2), parts.size()));
    }

    /** Works that are shown as one: the pools take minutes, so they have a benchmark of their own, with one fork. */
    Question asShown() {
        return new Question(benchmark.replace("BlockedPoolsBenchmark", "BlockedBenchmark"), params, metric);
    }

    /** Whether more of it is neither better nor worse: who refuses at once has said so, and who does not may never answer. */
    boolean isNeutral() {
        return metric.equals("refused");
    }

    /** A name for files and links. */
    String slug() {
        return (name() + params + metric)
                .toLowerCase(Locale.ROOT)
                .replaceAll("[^a-z0-9]+", "-")
                .replaceAll("^-|-$", "");
    }

    @Override
    public int compareTo(Question other) {
        int byName = benchmark.compareTo(other.benchmark);
        int byParams = byName != 0 ? byName : params.toString().compareTo(other.params.toString());
        return byParams != 0 ? byParams : metric.compareTo(other.metric);
    }
}
