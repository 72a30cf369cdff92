package io.fibry;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/**
 * A number of a system, of one of its actors or of one of its servers: {@link ActorSystem#metrics()}. Metrics of the
 * same name have the same tag keys, and differ in the tag values.
 *
 * @param name lower case with dots, such as {@code fibry.messages.waiting}
 * @param kind whether it is a counter or a gauge
 * @param unit {@code seconds}, {@code bytes}, or empty for a plain number
 * @param tags distinguish it from other metrics of the same name
 * @param value the current value
 * @param description a readable description of the number
 */
public record Metric(String name, Kind kind, String unit, Map<String, String> tags, double value, String description) {

    /** The kinds of metric. */
    public enum Kind {
        /**
         * It never decreases while its actor, its server or its system lives. A successor of the same name begins at
         * zero.
         */
        COUNTER,
        /** It increases and decreases. */
        GAUGE
    }

    static final String SECONDS = "seconds";

    private static final double NANOS = Duration.ofSeconds(1).toNanos();

    public Metric {
        tags = Map.copyOf(tags);
    }

    /** Returns a metric that never decreases. */
    public static Metric counter(String name, long value, String description) {
        return new Metric(name, Kind.COUNTER, "", Map.of(), (double) value, description);
    }

    /** Returns a metric that increases and decreases. */
    public static Metric gauge(String name, long value, String description) {
        return new Metric(name, Kind.GAUGE, "", Map.of(), (double) value, description);
    }

    /** Returns a time in seconds that increases and decreases. */
    public static Metric time(String name, Duration value, String description) {
        return new Metric(name, Kind.GAUGE, SECONDS, Map.of(), seconds(value), description);
    }

    static double seconds(Duration time) {
        return time.toNanos() / NANOS;
    }

    /** Returns the same metric with a unit. */
    public Metric in(String unit) {
        return new Metric(name, kind, unit, tags, value, description);
    }

    /** Returns the same metric with an additional tag. */
    public Metric tagged(String key, String tagValue) {
        var more = new HashMap<>(tags);
        more.put(key, tagValue);
        return new Metric(name, kind, unit, more, value, description);
    }
}
