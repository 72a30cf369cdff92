package io.fibry.dispatch;

import java.util.Collection;
import java.util.Locale;
import java.util.StringJoiner;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Writes a JSON object, in ASCII: without control characters, and without any that could end an HTML script element.
 */
public class JsonObject {

    private final StringJoiner members = new StringJoiner(",", "{", "}");

    /** Adds a number, a boolean, or another value whose text is JSON. */
    public final JsonObject plain(String name, Object value) {
        members.add('"' + name + "\":" + value);
        return this;
    }

    public final JsonObject number(String name, double value) {
        return plain(name, String.format(Locale.ROOT, "%.3f", value));
    }

    public final JsonObject text(String name, @Nullable String value) {
        return plain(name, value == null ? "null" : quoted(shown(value)));
    }

    public final <T> JsonObject array(String name, Collection<T> values, Function<? super T, ?> toJson) {
        var array = new StringJoiner(",", "[", "]");
        values.forEach(value -> array.add(String.valueOf(toJson.apply(value))));
        return plain(name, array);
    }

    /** Returns the form of a text in this object, which may be shorter. */
    protected String shown(String text) {
        return text;
    }

    /** Returns a JSON string. */
    public static String quoted(String text) {
        var quoted = new StringBuilder(text.length() + 2).append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                quoted.append('\\').append(c);
            } else if (c < ' ' || c > '~' || c == '<' || c == '>' || c == '&') {
                quoted.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
            } else {
                quoted.append(c);
            }
        }
        return quoted.append('"').toString();
    }

    @Override
    public final String toString() {
        return members.toString();
    }
}
