package io.fibry;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/**
 * A number of a system, of one of its actors or of one of its servers: {@link ActorSystem#measures()}. Two measures of the same
 * name have the same keys of tags, and differ in the values of them.
 *
 * @param name lower case with dots, such as {@code fibry.messages.waiting}
 * @param kind whether it only grows
 * @param unit {@code seconds}, {@code bytes}, or empty for a mere number
 * @param tags what tells it apart from others of its name
 * @param value the number
 * @param description what it counts, for people
 */
public record Measure(String name, Kind kind, String unit, Map<String, String> tags, double value, String description) {

    /** Whether a number only grows. */
    public enum Kind {
        /** It only grows while its actor, its server or its system lives. Another one of the same name begins at zero. */
        COUNTER,
        /** It grows and falls. */
        GAUGE
    }

    static final String SECONDS = "seconds";

    private static final double NANOS = Duration.ofSeconds(1).toNanos();

    public Measure {
        tags = Map.copyOf(tags);
    }

    /** A number that only grows. */
    public static Measure counter(String name, long value, String description) {
        return new Measure(name, Kind.COUNTER, "", Map.of(), (double) value, description);
    }

    /** A number that grows and falls. */
    public static Measure gauge(String name, long value, String description) {
        return new Measure(name, Kind.GAUGE, "", Map.of(), (double) value, description);
    }

    /** A time that grows and falls, in seconds. */
    public static Measure time(String name, Duration value, String description) {
        return new Measure(name, Kind.GAUGE, SECONDS, Map.of(), seconds(value), description);
    }

    static double seconds(Duration time) {
        return time.toNanos() / NANOS;
    }

    /** The same measure with a unit. */
    public Measure in(String unit) {
        return new Measure(name, kind, unit, tags, value, description);
    }

    /** The same measure with one tag more. */
    public Measure tagged(String key, String tagValue) {
        var more = new HashMap<>(tags);
        more.put(key, tagValue);
        return new Measure(name, kind, unit, more, value, description);
    }
}
