package io.fibry.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;

/** A text that forges lines, controls a terminal and reverses a line, wherever it is shown unescaped. */
public final class Hostile {

    /** CR, LF, TAB, ESC, LINE SEPARATOR, RIGHT-TO-LEFT OVERRIDE, NUL, NEL, and a forged line. */
    public static final String TEXT = "x\r\n\t\u001b[31m\u2028\u202e\0\u0085[main] ERROR forged";

    private static final List<String> CHARACTERS =
            List.of("\r", "\n", "\t", "\u001b", "\u2028", "\u202e", "\0", "\u0085");

    private Hostile() {}

    /** The text has the escaped form of {@link #TEXT} in one of its lines, and not its characters. */
    public static void assertPlain(String text) {
        assertTrue(text.contains("forged"), text);
        assertTrue(text.contains("\\u202e"), text);
        CHARACTERS.forEach(c -> assertFalse(text.contains(c), text));
    }

    /** As {@link #assertPlain}, for the lines of a log that have the forged text. Stack traces are not among them. */
    public static void assertPlainLines(LogLines log, String part) {
        List<String> lines = log.with(part, "forged");
        assertEquals(1, lines.size(), log.text());
        assertPlain(lines.getFirst());
    }
}
