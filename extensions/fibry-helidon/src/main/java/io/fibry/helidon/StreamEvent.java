package io.fibry.helidon;

import java.nio.charset.StandardCharsets;
import java.util.Objects;

/**
 * A server-sent event. Immutable.
 *
 * @param name the type of the event, for {@code addEventListener}; empty for {@code message}
 * @param id the value that a browser sends as {@code Last-Event-ID} when it connects again; empty for none
 * @param data the text, which may have several lines
 */
public record StreamEvent(String name, String id, String data) {

    /** Checks that the name and the id have no line break, which would forge another field. */
    public StreamEvent {
        checkOneLine("name", name);
        checkOneLine("id", id);
        Objects.requireNonNull(data, "data");
    }

    /** An event with a text only. */
    public static StreamEvent of(String data) {
        return new StreamEvent("", "", data);
    }

    private static void checkOneLine(String what, String value) {
        if (value.chars().anyMatch(c -> c == '\n' || c == '\r' || c == 0)) {
            throw new IllegalArgumentException("the " + what + " of an event must not have a line break or a zero");
        }
    }

    /** The event as the client reads it. */
    byte[] toBytes() {
        var text = new StringBuilder();
        if (!id.isEmpty()) {
            text.append("id: ").append(id).append('\n');
        }
        if (!name.isEmpty()) {
            text.append("event: ").append(name).append('\n');
        }
        for (String line : data.split("\r\n|\r|\n", -1)) {
            text.append("data: ").append(line).append('\n');
        }
        return text.append('\n').toString().getBytes(StandardCharsets.UTF_8);
    }
}
