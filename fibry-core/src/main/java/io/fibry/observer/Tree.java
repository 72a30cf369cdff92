package io.fibry.observer;

import io.fibry.ActorInfo;
import io.fibry.dispatch.JsonObject;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The tree of actors, as far as a reader can take it in: a few levels, and a few children of each actor. */
final class Tree {

    private static final int MOST_ACTORS = 200;
    private static final int MOST_CHILDREN = 12;
    private static final int MOST_ROOTS = 40;
    private static final int MOST_LEVELS = 6;

    private final Map<String, List<ActorInfo>> childrenOf;
    private int left = MOST_ACTORS;

    private Tree(List<ActorInfo> actors) {
        childrenOf = actors.stream()
                .filter(actor -> actor.parent() != null)
                .collect(Collectors.groupingBy(actor -> String.valueOf(actor.parent())));
    }

    /** The roots with the most children come first; roots with neither a name nor a child are omitted. */
    static void add(List<ActorInfo> actors, JsonObject to) {
        var tree = new Tree(actors);
        List<ActorInfo> roots = actors.stream()
                .filter(actor -> actor.parent() == null)
                .filter(actor -> actor.children() > 0 || !actor.name().equals("actor-" + actor.id()))
                .sorted(Comparator.comparingInt(ActorInfo::children).reversed().thenComparing(ActorInfo::name))
                .toList();
        to.array("tree", roots.subList(0, Math.min(MOST_ROOTS, roots.size())), root -> tree.node(root, MOST_LEVELS));
        to.plain("moreRoots", Math.max(0, roots.size() - MOST_ROOTS));
    }

    private String node(ActorInfo actor, int levels) {
        left--;
        List<ActorInfo> children = levels == 1 ? List.of() : childrenOf.getOrDefault(actor.name(), List.of());
        int shown = Math.max(0, Math.min(Math.min(MOST_CHILDREN, left), children.size()));
        return Actors.brief(actor)
                .array("nodes", children.subList(0, shown), child -> node(child, levels - 1))
                .toString();
    }
}
