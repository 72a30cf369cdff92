package io.fibry.observer;

import io.fibry.observer.FlowMeter.Pair;
import io.fibry.observer.FlowMeter.Totals;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The message flow as a graph of bounded size. The rates are smoothed, so that the picture is stable: each interval
 * counts as much as all intervals before it. Used by one thread at a time.
 */
final class FlowGraph {

    static final int MOST_NODES = 40;
    static final int MOST_EDGES = 120;

    private static final double OLD_PART = 0.5;

    /** A pair with fewer messages per second is forgotten. */
    private static final double LEAST_RATE = 0.02;

    /** An edge of the hottest path has at least this part of the rate of the hottest edge. */
    private static final double HOT_PART = 0.1;

    private static final double NANOS_OF_MILLI = 1e6;

    /** An actor that waits for another one, for this number of seconds. */
    record Wait(Pair pair, double seconds) {}

    /** Totals are per second. */
    private record Edge(Pair pair, Totals totals, int waiting, double waitingFor) {}

    private final Map<Pair, Totals> rates = new HashMap<>();

    /** Adds the messages of an interval. */
    void add(Map<Pair, Totals> sums, double seconds) {
        boolean first = rates.isEmpty();
        rates.replaceAll((pair, rate) -> rate.times(OLD_PART));
        sums.forEach((pair, sum) -> {
            Totals more = sum.times((first ? 1 : 1 - OLD_PART) / seconds);
            rates.put(pair, rates.getOrDefault(pair, Totals.NONE).plus(more));
        });
        rates.values().removeIf(rate -> rate.messages() < LEAST_RATE);
    }

    /** Adds the graph to the JSON, with the actors that wait now. */
    void addTo(Json json, List<Wait> waits) {
        List<Edge> all = edges(waits);
        List<Edge> shown = all.stream().limit(MOST_EDGES).toList();
        Set<String> used = new TreeSet<>();
        shown.forEach(edge -> used.addAll(List.of(edge.pair.from(), edge.pair.to())));
        List<String> names = List.copyOf(used);
        List<String> path = hottestPath(shown);
        Set<Pair> hot = new HashSet<>();
        for (int i = 1; i < path.size(); i++) {
            hot.add(new Pair(path.get(i - 1), path.get(i)));
        }
        json.array("nodes", names, Json::quotedText)
                .array("edges", shown, edge -> json(edge, names, hot))
                .array("path", path, Json::quotedText)
                .plain("otherEdges", all.size() - shown.size());
    }

    private static Json json(Edge edge, List<String> names, Set<Pair> hot) {
        Totals t = edge.totals;
        double messages = Math.max(t.messages(), Double.MIN_NORMAL);
        var json = new Json();
        json.plain("from", names.indexOf(edge.pair.from()))
                .plain("to", names.indexOf(edge.pair.to()))
                .number("rate", t.messages())
                .number("asks", t.asks())
                .number("failures", t.failures())
                .number("wait", t.waited() / messages / NANOS_OF_MILLI)
                .number("handler", t.handled() / messages / NANOS_OF_MILLI)
                .plain("waiting", edge.waiting)
                .number("waitingFor", edge.waitingFor)
                .plain("hot", hot.contains(edge.pair));
        return json;
    }

    /** The edges between nodes: first the edges on which actors wait, the longest first, and then by rate. */
    private List<Edge> edges(List<Wait> waits) {
        Map<String, Double> importance = new HashMap<>();
        rates.forEach((pair, rate) -> note(importance, pair, rate.messages()));
        waits.forEach(wait -> note(importance, wait.pair, 1e12)); // waiting actors are more important than any rate
        Map<String, String> nodes = FlowNames.nodes(importance.keySet(), MOST_NODES, importance::get);
        Map<Pair, Edge> edges = new HashMap<>();
        rates.forEach((pair, rate) -> put(edges, nodes, pair, rate, 0, 0));
        waits.forEach(wait -> put(edges, nodes, wait.pair, Totals.NONE, 1, wait.seconds));
        return edges.values().stream()
                .sorted(Comparator.comparingDouble((Edge edge) -> -edge.waitingFor)
                        .thenComparingDouble(edge -> -edge.totals.messages())
                        .thenComparing(edge -> edge.pair.from())
                        .thenComparing(edge -> edge.pair.to()))
                .toList();
    }

    private static void note(Map<String, Double> importance, Pair pair, double value) {
        for (String name : List.of(pair.from(), pair.to())) {
            importance.put(name, importance.getOrDefault(name, 0.0) + value);
        }
    }

    private static void put(
            Map<Pair, Edge> edges, Map<String, String> nodes, Pair pair, Totals rate, int waiting, double seconds) {
        Pair node = new Pair(node(nodes, pair.from()), node(nodes, pair.to()));
        Edge old = edges.getOrDefault(node, new Edge(node, Totals.NONE, 0, 0));
        edges.put(
                node, new Edge(node, old.totals.plus(rate), old.waiting + waiting, Math.max(old.waitingFor, seconds)));
    }

    private static String node(Map<String, String> nodes, String name) {
        return nodes.getOrDefault(name, FlowMeter.OTHERS);
    }

    /** The hottest edge, continued in both directions by the hottest edge at each end, without a cycle. */
    private static List<String> hottestPath(List<Edge> edges) {
        Edge hottest = edges.stream()
                .filter(edge -> isLink(edge) && edge.totals.messages() > 0)
                .max(Comparator.comparingDouble(edge -> edge.totals.messages()))
                .orElse(null);
        if (hottest == null) {
            return List.of();
        }
        double least = hottest.totals.messages() * HOT_PART;
        var path = new LinkedHashSet<String>(List.of(hottest.pair.from(), hottest.pair.to()));
        Edge next = next(edges, hottest.pair.to(), true, path, least);
        while (next != null) {
            path.add(next.pair.to());
            next = next(edges, next.pair.to(), true, path, least);
        }
        var whole = new ArrayList<>(path);
        next = next(edges, hottest.pair.from(), false, path, least);
        while (next != null) {
            path.add(next.pair.from());
            whole.addFirst(next.pair.from());
            next = next(edges, next.pair.from(), false, path, least);
        }
        return whole;
    }

    private static boolean isLink(Edge edge) {
        return !edge.pair.from().equals(edge.pair.to());
    }

    private static @Nullable Edge next(List<Edge> edges, String at, boolean forward, Set<String> path, double least) {
        return edges.stream()
                .filter(edge -> (forward ? edge.pair.from() : edge.pair.to()).equals(at))
                .filter(edge -> !path.contains(forward ? edge.pair.to() : edge.pair.from()))
                .filter(edge -> edge.totals.messages() >= least)
                .max(Comparator.comparingDouble(edge -> edge.totals.messages()))
                .orElse(null);
    }
}
