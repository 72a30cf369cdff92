package io.fibry.bench;

import static java.util.stream.Collectors.toMap;
import static java.util.stream.Collectors.toSet;

import io.fibry.bench.peers.Peers;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.openjdk.jmh.runner.BenchmarkList;
import org.openjdk.jmh.runner.BenchmarkListEntry;
import org.openjdk.jmh.runner.format.OutputFormat;
import org.openjdk.jmh.runner.format.OutputFormatFactory;
import org.openjdk.jmh.runner.options.VerboseMode;

/** The benchmarks of this package that JMH finds; tests of the report may contain others. */
final class BenchmarkClasses {

    private BenchmarkClasses() {}

    /** Returns the simple names of the classes, with their participating peers. */
    static Map<String, List<Peers>> all() {
        return entries(List.of())
                .filter(entry -> packageOf(entry).equals(BenchmarkClasses.class.getPackageName()))
                .collect(toMap(BenchmarkClasses::simpleName, BenchmarkClasses::peers, (a, b) -> a, TreeMap::new));
    }

    /**
     * Returns the simple names of the classes, in all packages, that JMH runs if its first argument is this regular
     * expression.
     */
    static Set<String> chosenBy(String regex) {
        return entries(List.of(regex)).map(BenchmarkClasses::simpleName).collect(toSet());
    }

    private static Stream<BenchmarkListEntry> entries(List<String> includes) {
        OutputFormat quiet = OutputFormatFactory.createFormatInstance(System.out, VerboseMode.SILENT);
        return BenchmarkList.defaultList().find(quiet, includes, List.of()).stream();
    }

    /** Returns the pairs of class and peer in which the peer participates and is supported. */
    static Stream<Map.Entry<String, Peers>> pairs() {
        return all().entrySet().stream()
                .flatMap(entry -> entry.getValue().stream()
                        .filter(peer -> peer.cannot(entry.getKey()) == null)
                        .map(peer -> Map.entry(entry.getKey(), peer)));
    }

    private static String packageOf(BenchmarkListEntry entry) {
        return entry.getUserClassQName().replaceAll("\\.\\w+$", "");
    }

    private static String simpleName(BenchmarkListEntry entry) {
        return entry.getUserClassQName().replaceAll(".*\\.", "");
    }

    private static List<Peers> peers(BenchmarkListEntry entry) {
        String[] names = entry.getParams().orElse(Map.of()).getOrDefault("peer", new String[0]);
        return Arrays.stream(names).map(Peers::valueOf).toList();
    }
}
