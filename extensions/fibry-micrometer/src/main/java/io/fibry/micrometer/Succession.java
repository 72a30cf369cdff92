package io.fibry.micrometer;

import io.fibry.Measure;
import java.util.HashMap;
import java.util.Map;

/**
 * Keeps a counter from falling when an actor or a server has ended and another one has its name before the next snapshot: the new one
 * counts on. Otherwise a registry that publishes how much a counter has grown would publish a negative number. It does not see a new one
 * that has already counted more than the one before it. For one thread at a time.
 */
final class Succession {

    private record Count(double ofEnded, double last) {}

    private final Map<MeterKey, Count> counts = new HashMap<>();

    /** Adds to each counter what those before it have counted. Forgets counters that are not there: their meters are removed. */
    void countOn(Map<MeterKey, Measure> measures) {
        counts.keySet().retainAll(measures.keySet());
        measures.replaceAll((key, measure) -> hasName(measure) ? countOn(key, measure) : measure);
    }

    /** The counters of a system are left alone: they are not exact while it is at work, and may look as if they fell. */
    private static boolean hasName(Measure measure) {
        return measure.kind() == Measure.Kind.COUNTER
                && (measure.tags().containsKey("actor") || measure.tags().containsKey("server"));
    }

    private Measure countOn(MeterKey key, Measure measure) {
        Count before = counts.getOrDefault(key, new Count(0, 0));
        double ofEnded = before.ofEnded + (measure.value() < before.last ? before.last : 0);
        counts.put(key, new Count(ofEnded, measure.value()));
        return withValue(measure, ofEnded + measure.value());
    }

    static Measure withValue(Measure m, double value) {
        return new Measure(m.name(), m.kind(), m.unit(), m.tags(), value, m.description());
    }
}
