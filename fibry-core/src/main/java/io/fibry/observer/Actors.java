package io.fibry.observer;

import io.fibry.ActorInfo;
import io.fibry.StopMode;
import io.fibry.dispatch.JsonObject;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Actors as JSON. */
final class Actors {

    private static final int MOST_FRAMES = 200;
    private static final int MOST_CHILDREN = 100;
    private static final double MILLIS = 1000;

    /** The time from which the handling of one message is shown as a problem. */
    private static final long LONG_MILLIS = TimeUnit.MINUTES.toMillis(2);

    private Actors() {}

    /** Servers are recognized by their behaviors. The connections or requests of a server are its children. */
    static boolean isServer(boolean hasParent, String behavior) {
        return !hasParent
                && (behavior.contains("io.fibry.net.")
                        || behavior.contains("io.fibry.http.")
                        || behavior.contains("io.fibry.helidon."));
    }

    /** Whether it has been handling one message for too long. The handler of a server runs as long as it listens. */
    static boolean isSlow(long runningMillis, boolean hasParent, String behavior) {
        return runningMillis >= LONG_MILLIS && !isServer(hasParent, behavior);
    }

    static JsonObject brief(ActorInfo actor) {
        return new Json()
                .text("id", actor.id())
                .text("name", actor.name())
                .text("behavior", actor.behavior())
                .text("state", actor.state().name())
                .text("waitsFor", actor.waitsFor())
                .plain("slow", isSlow(actor.runningFor().toMillis(), actor.parent() != null, actor.behavior()))
                .plain("mailboxSize", actor.mailboxSize())
                .plain("failures", actor.failures())
                .plain("restarts", actor.restarts())
                .plain("children", actor.children());
    }

    static String line(ActorInfo actor, RateMeter rates) {
        return brief(actor)
                .text("message", actor.message())
                .number("runningFor", actor.runningFor().toMillis() / MILLIS)
                .plain("handled", actor.handled())
                .plain("handledBySource", actor.handledBySource().toJson())
                .number("rate", rates.of(actor))
                .toString();
    }

    /** Everything about one actor. The actors that it refers to are looked up by name in the sample. */
    static String page(ActorInfo actor, ActorSample sample, RateMeter rates, boolean canStop) {
        StopMode stopping = actor.stopping();
        List<ActorInfo> children = sample.actors().stream()
                .filter(other -> actor.name().equals(other.parent()))
                .limit(MOST_CHILDREN)
                .toList();
        return brief(actor)
                .text("message", actor.message())
                .number("runningFor", actor.runningFor().toMillis() / MILLIS)
                .plain("handled", actor.handled())
                .plain("handledBySource", actor.handledBySource().toJson())
                .number("rate", rates.of(actor))
                .text("parent", actor.parent())
                .text("parentId", idOf(actor.parent(), sample))
                .text("waitsForId", idOf(actor.waitsFor(), sample))
                .text("strategy", actor.strategy())
                .text("stopping", stopping == null ? null : stopping.name())
                .plain("canStop", canStop)
                .array("stack", actor.stack().stream().limit(MOST_FRAMES).toList(), f -> Json.quotedText(f.toString()))
                .plain("moreFrames", Math.max(0, actor.stack().size() - MOST_FRAMES))
                .array("nodes", children, child -> line(child, rates))
                .toString();
    }

    private static @Nullable String idOf(@Nullable String name, ActorSample sample) {
        return name == null
                ? null
                : sample.actors().stream()
                        .filter(actor -> actor.name().equals(name))
                        .map(ActorInfo::id)
                        .findFirst()
                        .orElse(null);
    }
}
