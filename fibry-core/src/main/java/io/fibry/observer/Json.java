package io.fibry.observer;

import java.util.List;
import java.util.Locale;
import java.util.StringJoiner;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A JSON object. Texts are cut, because the names and exceptions of users may be of any length. */
final class Json {

    static final int LONGEST_TEXT = 300;

    private final StringJoiner members = new StringJoiner(",", "{", "}");

    Json plain(String name, Object value) {
        members.add('"' + name + "\":" + value);
        return this;
    }

    Json number(String name, double value) {
        return plain(name, String.format(Locale.ROOT, "%.3f", value));
    }

    Json text(String name, @Nullable String value) {
        return plain(name, value == null ? "null" : quoted(value));
    }

    <T> Json array(String name, List<T> values, Function<? super T, ?> toJson) {
        var array = new StringJoiner(",", "[", "]");
        values.forEach(value -> array.add(String.valueOf(toJson.apply(value))));
        return plain(name, array);
    }

    static String quoted(String text) {
        int length = Math.min(text.length(), LONGEST_TEXT);
        var quoted = new StringBuilder(length + 2).append('"');
        for (int i = 0; i < length; i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                quoted.append('\\').append(c);
            } else if (c < ' ' || c > '~' || c == '<' || c == '>' || c == '&') {
                quoted.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
            } else {
                quoted.append(c);
            }
        }
        return quoted.append(text.length() > length ? "\\u2026\"" : "\"").toString();
    }

    @Override
    public String toString() {
        return members.toString();
    }
}
