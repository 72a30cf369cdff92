package io.fibry.bench.report;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A question for all peers: a benchmark with its parameters, and one of its metrics.
 *
 * @param benchmark the full name
 * @param params all parameters but the peer
 * @param metric the name of a secondary result; empty for the primary one
 */
record Question(String benchmark, SortedMap<String, String> params, String metric) implements Comparable<Question> {

    /** The metric of the wake-ups of threads per operation. */
    static final String WAKE_UPS = "wakeUps";

    static Question of(String benchmark, Map<String, String> params, String metric) {
        var others = new TreeMap<>(params);
        others.remove(Trial.PEER);
        return new Question(benchmark, others, metric);
    }

    /**
     * Returns the class and the method of the benchmark, without the package, as used in goals and regular expressions.
     */
    String name() {
        List<String> parts = List.of(benchmark.split("\\.", -1));
        return String.join(".", parts.subList(Math.max(0, parts.size() - 2), parts.size()));
    }

    /**
     * Merges benchmarks that are shown as one: the pools take minutes, and therefore have a separate benchmark with one
     * fork.
     */
    Question asShown() {
        return new Question(benchmark.replace("BlockedPoolsBenchmark", "BlockedBenchmark"), params, metric);
    }

    /**
     * Returns whether a higher value is neither better nor worse, such as the number of latencies, or the fraction of
     * immediate refusals: a service without refusals may never answer.
     */
    boolean isNeutral() {
        return metric.equals("refused") || metric.equals("count");
    }

    /** Returns the question about another metric of the benchmark. */
    Question about(String otherMetric) {
        return new Question(benchmark, params, otherMetric);
    }

    /** Returns a name for files and links. */
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
