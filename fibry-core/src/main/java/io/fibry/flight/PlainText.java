package io.fibry.flight;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Texts without control characters, for all packages: see {@code io.fibry.dispatch.LogText}. */
public final class PlainText {

    private PlainText() {}

    /** The text with an escape in place of each hostile character. */
    public static String of(@Nullable Object text) {
        String s = String.valueOf(text);
        for (int i = 0; i < s.length(); ) {
            int c = s.codePointAt(i);
            if (isHostile(c)) {
                return escaped(s, i);
            }
            i += Character.charCount(c);
        }
        return s;
    }

    private static String escaped(String s, int from) {
        var plain = new StringBuilder(s.length() + 16).append(s, 0, from);
        for (int i = from; i < s.length(); ) {
            int c = s.codePointAt(i);
            int next = i + Character.charCount(c);
            if (isHostile(c)) {
                s.substring(i, next).chars().forEach(unit -> plain.append(String.format(Locale.ROOT, "\\u%04x", unit)));
            } else {
                plain.appendCodePoint(c);
            }
            i = next;
        }
        return plain.toString();
    }

    private static boolean isHostile(int c) {
        if (c >= ' ' && c <= '~') {
            return false;
        }
        return switch (Character.getType(c)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR,
                    Character.SURROGATE,
                    Character.UNASSIGNED -> true;
            default -> false;
        };
    }
}
