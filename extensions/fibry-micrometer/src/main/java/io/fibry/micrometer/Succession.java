package io.fibry.micrometer;

import io.fibry.Measure;
import java.util.HashMap;
import java.util.Map;

/**
 * Keeps counters monotonic when an actor or a server ends and another one has its name before the next snapshot: the
 * counters of the successor continue from the counters of the predecessor. Otherwise a registry that publishes increments
 * would publish a negative number. A successor that has already counted more than its predecessor is not detected. Not
 * thread-safe.
 */
final class Succession {

    private record Count(double ofEnded, double last) {}

    private final Map<MeterKey, Count> counts = new HashMap<>();

    /** Adds the counts of predecessors to each counter. Removes the state of counters that no longer exist. */
    void countOn(Map<MeterKey, Measure> measures) {
        counts.keySet().retainAll(measures.keySet());
        measures.replaceAll((key, measure) -> hasName(measure) ? countOn(key, measure) : measure);
    }

    /** The counters of a system are excluded: they are inexact while actors run, and may appear to decrease. */
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
