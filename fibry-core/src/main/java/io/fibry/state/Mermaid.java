package io.fibry.state;

import io.fibry.state.StateMachineSpec.Limit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Formats the definition of a machine as a Mermaid state diagram. States are in the order of their first mention. */
final class Mermaid {

    private final StringBuilder text = new StringBuilder("stateDiagram-v2\n");
    private final Map<Object, String> ids = new LinkedHashMap<>();

    private Mermaid() {}

    static <S, E> String of(S initial, List<Transition<S, E>> transitions, Map<S, Limit<S>> limits, Set<S> ends) {
        var diagram = new Mermaid();
        diagram.mention(initial);
        for (Transition<S, E> t : transitions) {
            diagram.mention(t.from());
            t.targets().forEach(diagram::mention);
        }
        limits.forEach((state, limit) -> {
            diagram.mention(state);
            diagram.mention(limit.to());
        });
        ends.forEach(diagram::mention);
        diagram.line("[*] --> " + diagram.id(initial));
        for (Transition<S, E> t : transitions) {
            diagram.add(t);
        }
        for (Object state : List.copyOf(diagram.ids.keySet())) {
            Limit<S> limit = limits.get(state);
            if (limit != null) {
                diagram.line(diagram.id(state) + " --> " + diagram.id(limit.to()) + " : after " + limit.time());
            }
            if (ends.contains(state)) {
                diagram.line(diagram.id(state) + " --> [*]");
            }
        }
        return diagram.text.toString();
    }

    private <S, E> void add(Transition<S, E> t) {
        if (t.targets().isEmpty()) {
            line("note right of " + id(t.from()) + " : " + t.note());
        }
        for (S to : t.targets()) {
            line(id(t.from()) + " --> " + id(to) + " : " + plain(t.eventName()));
        }
    }

    /** Defines a separate identifier for a name that is not a word. */
    private void mention(Object state) {
        if (!ids.containsKey(state)) {
            String name = Transition.nameOf(state);
            boolean word = name.matches("[A-Za-z_]\\w*");
            String id = word ? name : "state" + ids.size();
            ids.put(state, id);
            if (!word) {
                line("state \"" + plain(name) + "\" as " + id);
            }
        }
    }

    private String id(Object state) {
        return ids.getOrDefault(state, "unknown");
    }

    /** Replaces the characters that have a meaning in a diagram. */
    private static String plain(String name) {
        return name.replaceAll("[\\r\\n\":;{}]", " ");
    }

    private void line(String line) {
        text.append("    ").append(line).append('\n');
    }
}
