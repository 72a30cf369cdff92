package io.fibry.observer;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.ToDoubleFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The nodes of the flow: names, or groups of names if there are too many. {@code order-17} belongs to {@code order-*}.
 */
final class FlowNames {

    private static final Pattern DIGITS = Pattern.compile("\\d");
    private static final Pattern SEPARATOR = Pattern.compile("[-_./: ]");

    private FlowNames() {}

    /** Returns the name up to its first digit, with an asterisk; the name itself if it has no digit. */
    static String group(String name) {
        return cut(name, DIGITS, 0);
    }

    /** Returns the name up to its first separator, with an asterisk; the name itself if it has none. */
    private static String family(String name) {
        return cut(name, SEPARATOR, 1);
    }

    private static String cut(String name, Pattern at, int more) {
        Matcher found = at.matcher(name);
        return !name.startsWith("(") && found.find() ? name.substring(0, found.start() + more) + "*" : name;
    }

    /**
     * Returns the node of each name, with at most {@code most} nodes: the names themselves, groups of similar names, or
     * the most important groups and {@link FlowMeter#OTHERS}.
     */
    static Map<String, String> nodes(Set<String> names, int most, ToDoubleFunction<String> importance) {
        Map<String, String> nodes = new HashMap<>();
        names.forEach(name -> nodes.put(name, name));
        if (names.size() > most) {
            names.forEach(name -> nodes.put(name, group(name)));
        }
        if (Set.copyOf(nodes.values()).size() > most) {
            names.forEach(name -> nodes.put(name, family(group(name))));
        }
        Set<String> distinct = Set.copyOf(nodes.values());
        if (distinct.size() > most) {
            Map<String, Double> sums = new HashMap<>();
            nodes.forEach(
                    (name, node) -> sums.put(node, sums.getOrDefault(node, 0.0) + importance.applyAsDouble(name)));
            Set<String> first = sums.entrySet().stream()
                    .sorted(Map.Entry.<String, Double>comparingByValue().reversed())
                    .map(Map.Entry::getKey)
                    .limit(most - 1L)
                    .collect(Collectors.toSet());
            nodes.replaceAll((name, node) -> first.contains(node) ? node : FlowMeter.OTHERS);
        }
        return nodes;
    }
}
