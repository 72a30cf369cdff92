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
 * Finds actors that wait for each other, and only go on by a timeout; without one, the wait fails, and is among the
 * failures. An actor is looked at after the other, so a circle may be a mistake. It is shown if it is there in two
 * looks.
 */
final class WaitCycleSearch {

    private static final int MOST = 10;

    private Set<List<String>> before = Set.of();

    /** The circles that were there in the look before, too, each as the names of its actors. */
    List<List<String>> confirmed(List<ActorInfo> actors) {
        Set<List<String>> now = find(actors);
        List<List<String>> both =
                now.stream().filter(before::contains).limit(MOST).toList();
        before = now;
        return both;
    }

    static Set<List<String>> find(List<ActorInfo> actors) {
        Map<String, String> waits = actors.stream()
                .filter(actor -> actor.waitsFor() != null)
                .collect(Collectors.toMap(ActorInfo::name, actor -> String.valueOf(actor.waitsFor()), (a, b) -> a));
        Set<List<String>> circles = new LinkedHashSet<>();
        Map<String, String> walkOf = new HashMap<>(); // each actor is on one walk, so all of it is one pass
        for (String start : waits.keySet()) {
            var path = new ArrayList<String>();
            String name = start;
            while (waits.containsKey(name) && walkOf.putIfAbsent(name, start) == null) {
                path.add(name);
                name = waits.getOrDefault(name, "");
            }
            if (start.equals(walkOf.get(name)) && path.contains(name)) {
                circles.add(fromSmallest(path.subList(path.indexOf(name), path.size())));
            }
        }
        return circles;
    }

    /** So that a circle is the same list wherever the walk came to it. */
    private static List<String> fromSmallest(List<String> circle) {
        int first = circle.indexOf(circle.stream().min(String::compareTo).orElseThrow());
        return Stream.concat(circle.subList(first, circle.size()).stream(), circle.subList(0, first).stream())
                .toList();
    }
}
