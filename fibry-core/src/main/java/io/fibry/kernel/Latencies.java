package io.fibry.kernel;

import io.fibry.Actor;
import io.fibry.Latency;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;

/**
 * The measured times of a system, and those of up to {@value #MAX_ACTORS} of its living actors with a name. A
 * measurement of another actor counts only for the system. The memory is bounded: an actor needs up to 7 KB.
 */
final class Latencies {

    static final int MAX_ACTORS = 1_000;

    private final Times all = new Times();
    private final Map<String, Times> byName = new ConcurrentHashMap<>();

    /** Whether an actor has this name now. */
    private final BiPredicate<String, Actor<?>> owns;

    Latencies(BiPredicate<String, Actor<?>> owns) {
        this.owns = owns;
    }

    MessageTap tap() {
        return new LatencyTap(this::record);
    }

    private void record(Actor<?> actor, Latency.Kind kind, long nanos) {
        all.of(kind).record(nanos);
        Lifecycle l = actor instanceof ActorState<?> state ? state.lifecycleIfAny() : null;
        if (l != null && l.name != null) {
            Times times = ofActor(l.name, actor);
            if (times != null) {
                times.of(kind).record(nanos);
            }
        }
    }

    private @Nullable Times ofActor(String name, Actor<?> actor) {
        Times times = byName.get(name);
        if (times != null || byName.size() >= MAX_ACTORS) { // threads that race may exceed the limit slightly
            return times;
        }
        byName.putIfAbsent(name, new Times());
        // An actor that ends frees its name, and then calls forget(..), which either removes the entry, or is seen
        // here.
        if (!owns.test(name, actor)) {
            byName.remove(name);
        }
        return byName.get(name);
    }

    /** Called when a name has become free, so that the next actor of this name begins without measurements. */
    void forget(String name) {
        byName.remove(name);
    }

    /** Returns the times of the system, then those of its actors by name. */
    List<Latency> snapshot() {
        List<Latency> latencies = new ArrayList<>();
        all.addTo(latencies, "");
        byName.entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .forEach(entry -> entry.getValue().addTo(latencies, entry.getKey()));
        return latencies;
    }

    /** The histograms of one actor, or of the system. */
    private static final class Times {

        private final Histogram mailbox = new Histogram();
        private final Histogram handler = new Histogram();
        private final Histogram ask = new Histogram();

        Histogram of(Latency.Kind kind) {
            return switch (kind) {
                case MAILBOX -> mailbox;
                case HANDLER -> handler;
                case ASK -> ask;
            };
        }

        void addTo(List<Latency> latencies, String actor) {
            for (Latency.Kind kind : Latency.Kind.values()) {
                Latency latency = of(kind).snapshot(actor, kind);
                if (latency.count() > 0) {
                    latencies.add(latency);
                }
            }
        }
    }
}
