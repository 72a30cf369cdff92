package io.fibry.observer;

import io.fibry.ActorInfo;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Finds the cycles of waiting actors in which a wait has a timeout. The kernel fails the others, and lists them among
 * the failures. A snapshot of the actors is not atomic, so a cycle is shown only if two consecutive snapshots contain
 * it.
 */
final class SnapshotCycles {

    private static final int MOST = 10;

    private Set<List<String>> previous = Set.of();

    /** Returns the cycles that the previous snapshot contained too, each as the names of its actors. */
    List<List<String>> confirmed(List<ActorInfo> actors) {
        Set<List<String>> now = find(actors);
        List<List<String>> both =
                now.stream().filter(previous::contains).limit(MOST).toList();
        previous = now;
        return both;
    }

    static Set<List<String>> find(List<ActorInfo> actors) {
        Map<String, String> waits = actors.stream()
                .filter(actor -> actor.waitsFor() != null)
                .collect(Collectors.toMap(ActorInfo::name, actor -> String.valueOf(actor.waitsFor()), (a, b) -> a));
        Set<List<String>> cycles = new LinkedHashSet<>();
        Map<String, String> walkOf = new HashMap<>(); // each actor is on one walk: linear time
        for (String start : waits.keySet()) {
            var path = new ArrayList<String>();
            String name = start;
            while (waits.containsKey(name) && walkOf.putIfAbsent(name, start) == null) {
                path.add(name);
                name = waits.getOrDefault(name, "");
            }
            if (start.equals(walkOf.get(name)) && path.contains(name)) {
                cycles.add(fromSmallest(path.subList(path.indexOf(name), path.size())));
            }
        }
        return cycles;
    }

    /** Rotates a cycle so that it begins with its smallest name: a cycle is then the same list in each snapshot. */
    private static List<String> fromSmallest(List<String> cycle) {
        int first = cycle.indexOf(cycle.stream().min(String::compareTo).orElseThrow());
        return Stream.concat(cycle.subList(first, cycle.size()).stream(), cycle.subList(0, first).stream())
                .toList();
    }
}
