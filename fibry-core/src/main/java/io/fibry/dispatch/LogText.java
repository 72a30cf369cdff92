package io.fibry.dispatch;

import java.util.Locale;

/**
 * Texts from outside, such as names of actors and requests of clients, as parts of a log line or a dump. A line break in such a text
 * could begin a forged line, an escape sequence could control a terminal, and a bidirectional control could reverse the line.
 */
public final class LogText {

    private LogText() {}

    /**
     * The text with each control character, line separator, format character, lone surrogate and unassigned character replaced by a
     * Unicode escape, such as {@code \\u000a}. All other characters stay.
     */
    public static String plain(Object text) {
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
