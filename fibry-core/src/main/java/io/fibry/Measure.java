package io.fibry;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/**
 * A number of a system, of one of its actors or of one of its servers: {@link ActorSystem#measures()}. Measures of the
 * same name have the same tag keys, and differ in the tag values.
 *
 * @param name lower case with dots, such as {@code fibry.messages.waiting}
 * @param kind whether it only grows
 * @param unit {@code seconds}, {@code bytes}, or empty for a plain number
 * @param tags distinguish it from other measures of the same name
 * @param value the current value
 * @param description a readable description of the number
 */
public record Measure(String name, Kind kind, String unit, Map<String, String> tags, double value, String description) {

    /** The kinds of measure. */
    public enum Kind {
        /**
         * It only grows while its actor, its server or its system lives. A successor of the same name begins at zero.
         */
        COUNTER,
        /** It increases and decreases. */
        GAUGE
    }

    static final String SECONDS = "seconds";

    private static final double NANOS = Duration.ofSeconds(1).toNanos();

    public Measure {
        tags = Map.copyOf(tags);
    }

    /** Returns a measure that only grows. */
    public static Measure counter(String name, long value, String description) {
        return new Measure(name, Kind.COUNTER, "", Map.of(), (double) value, description);
    }

    /** Returns a measure that increases and decreases. */
    public static Measure gauge(String name, long value, String description) {
        return new Measure(name, Kind.GAUGE, "", Map.of(), (double) value, description);
    }

    /** Returns a time in seconds that increases and decreases. */
    public static Measure time(String name, Duration value, String description) {
        return new Measure(name, Kind.GAUGE, SECONDS, Map.of(), seconds(value), description);
    }

    static double seconds(Duration time) {
        return time.toNanos() / NANOS;
    }

    /** Returns the same measure with a unit. */
    public Measure in(String unit) {
        return new Measure(name, kind, unit, tags, value, description);
    }

    /** Returns the same measure with an additional tag. */
    public Measure tagged(String key, String tagValue) {
        var more = new HashMap<>(tags);
        more.put(key, tagValue);
        return new Measure(name, kind, unit, more, value, description);
    }
}
