package io.fibry.observer;

import io.fibry.dispatch.JsonObject;
import io.fibry.kernel.ActorView;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One pass over the actors of a system, for one page of the list. It reads of each actor only the value by which the
 * list is sorted, and all values of the actors of the page.
 */
final class ActorLook {

    private static final double MILLIS = 1000;

    /** What is known of a class: many actors have the same one. */
    private record Behavior(String name, boolean matches) {}

    private final ActorQuery query;
    private final String ownName;
    private final HandledRates.Pass rates;
    private final TopActors top;
    private final Map<Class<?>, Behavior> behaviors = new HashMap<>();
    /** Whether the text can be in a name that is generated from an id. Most are not, and no name is created then. */
    private final boolean generatedNamesMayMatch;

    private @Nullable String parentName;
    private long all;
    private long before;

    /** @param ownName the name of the page's server, whose actors are not in the list */
    ActorLook(ActorQuery query, String ownName, HandledRates.Pass rates) {
        this.query = query;
        this.ownName = ownName;
        this.rates = rates;
        generatedNamesMayMatch =
                "actor-".contains(query.search()) || query.search().matches("(actor-|ctor-|tor-|or-|r-|-)?[0-9a-f]*");
        top = new TopActors(query.size(), query.descending(), query.backward());
    }

    /** Called for each actor. */
    void add(ActorView actor) {
        if (actor.isCalled(ownName) || actor.isChildOf(ownName)) {
            return;
        }
        rates.count(actor.id(), actor.handled());
        if (query.parent() != null && actor.id() == query.parent()) {
            parentName = actor.name();
        }
        if (!matches(actor)) {
            return;
        }
        all++;
        long number = query.sort() == ActorSort.RATE
                ? rates.of(actor.id(), actor.handled())
                : query.sort().of(actor);
        String text = query.sort().isText() ? Position.beginning(textOf(actor)) : "";
        Position from = query.from();
        if (from != null) {
            int order = from.compare(number, text, actor.id(), query.descending());
            if (order > 0 || (order == 0 && !query.backward())) {
                before++;
            }
            if (query.backward() ? order <= 0 : order >= 0) {
                return;
            }
        }
        top.offer(number, text, actor);
    }

    private String textOf(ActorView actor) {
        return query.sort() == ActorSort.NAME ? actor.name() : behavior(actor.behaviorType()).name;
    }

    private boolean matches(ActorView actor) {
        Integer parent = query.parent();
        return (parent == null || actor.isChildOf(parent))
                && (query.search().isEmpty()
                        || behavior(actor.behaviorType()).matches
                        || (actor.isNamed()
                                ? contains(actor.name(), query.search())
                                : generatedNamesMayMatch && actor.name().contains(query.search())));
    }

    private Behavior behavior(Class<?> type) {
        Behavior known = behaviors.get(type);
        if (known == null) {
            String name = ActorView.behavior(type);
            known = new Behavior(name, query.search().isEmpty() || contains(name, query.search()));
            behaviors.put(type, known);
        }
        return known;
    }

    /** Whether a text contains another one, which is not empty and in lower case, ignoring case. */
    static boolean contains(String text, String lower) {
        char first = lower.charAt(0);
        char upper = Character.toUpperCase(first);
        for (int i = 0; i <= text.length() - lower.length(); i++) {
            char c = text.charAt(i);
            if ((c == first || c == upper) && text.regionMatches(true, i, lower, 0, lower.length())) {
                return true;
            }
        }
        return false;
    }

    /** The page, after the last actor. */
    JsonObject json() {
        rates.end();
        List<TopActors.Entry> page = top.page();
        boolean asText = query.sort().isText();
        long first = !query.backward() ? before : (query.from() == null ? all : before) - page.size();
        return new Json()
                .text("parent", parentName)
                .plain("all", all)
                .plain("first", first)
                .text("sort", query.sort().parameter())
                .text("order", query.descending() ? "desc" : "asc")
                .text(
                        "start",
                        page.isEmpty() ? null : page.getFirst().position().encode(asText))
                .text("end", page.isEmpty() ? null : page.getLast().position().encode(asText))
                .array("actors", page, this::row);
    }

    /** The value by which the list is sorted is that of the pass, so that the page is in its order. */
    private JsonObject row(TopActors.Entry entry) {
        ActorView actor = entry.actor();
        String behavior = behavior(actor.behaviorType()).name;
        long millis = number(ActorSort.TIME, entry);
        long handled = number(ActorSort.HANDLED, entry);
        JsonObject json = new Json()
                .text("id", Integer.toHexString(actor.id()))
                .text("name", actor.name())
                .text("behavior", behavior)
                .text("state", actor.state().name())
                .text("waitsFor", actor.waitsFor())
                .text("message", actor.message())
                .plain("slow", Actors.isSlow(millis, actor.hasParent(), behavior))
                .plain("mailbox", number(ActorSort.MAILBOX, entry))
                .plain("handled", handled)
                .plain("restarts", number(ActorSort.RESTARTS, entry))
                .plain("stashed", number(ActorSort.STASHED, entry));
        long rate = query.sort() == ActorSort.RATE ? entry.position().number() : rates.of(actor.id(), handled);
        orNull(json, "rate", rates.areKnown(), rate / HandledRates.UNIT);
        orNull(json, "time", millis >= 0, millis / MILLIS);
        return json;
    }

    private long number(ActorSort sort, TopActors.Entry entry) {
        return sort == query.sort() ? entry.position().number() : sort.of(entry.actor());
    }

    private static void orNull(JsonObject json, String name, boolean known, double value) {
        if (known) {
            json.number(name, value);
        } else {
            json.plain(name, "null");
        }
    }
}
