package io.fibry.observer;

import io.fibry.dispatch.LogText;
import java.util.List;
import java.util.Locale;
import java.util.StringJoiner;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A JSON object for the page. Texts are cut, because the names and exceptions of users may be of any length. They are {@linkplain
 * LogText#plain plain texts}: the page shows them as they are, and a control character could reverse a line of it.
 */
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
        boolean isLong = text.length() > LONGEST_TEXT;
        String shown = LogText.plain(isLong ? text.substring(0, LONGEST_TEXT) : text);
        var quoted = new StringBuilder(shown.length() + 2).append('"');
        for (int i = 0; i < shown.length(); i++) {
            char c = shown.charAt(i);
            if (c == '"' || c == '\\') {
                quoted.append('\\').append(c);
            } else if (c < ' ' || c > '~' || c == '<' || c == '>' || c == '&') {
                quoted.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
            } else {
                quoted.append(c);
            }
        }
        return quoted.append(isLong ? "\\u2026\"" : "\"").toString();
    }

    @Override
    public String toString() {
        return members.toString();
    }
}
