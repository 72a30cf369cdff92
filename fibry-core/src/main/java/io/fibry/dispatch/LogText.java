package io.fibry.dispatch;

import io.fibry.flight.PlainText;
import org.jspecify.annotations.Nullable;

/**
 * Escapes external texts, such as names of actors and requests of clients, for log lines, exception messages, thread
 * names, dumps and pages. A line break in such a text could begin a forged line, an escape sequence could control a
 * terminal, and a bidirectional control could reverse the line.
 */
public final class LogText {

    private LogText() {}

    /**
     * Returns the text with each control character, line separator, format character, lone surrogate and unassigned
     * character replaced by a Unicode escape, such as {@code \\u000a}. All other characters are unchanged.
     */
    public static String plain(@Nullable Object text) {
        return PlainText.of(text);
    }

    /**
     * Returns a throwable for a log statement. Its message may have texts of clients, which the logger prints. The
     * result is the throwable itself if no text of it, its causes and its suppressed throwables has to be escaped.
     * Otherwise it is a copy with {@linkplain #plain plain texts} and the same stack traces.
     */
    public static Throwable plainTrace(Throwable t) {
        return PlainThrowable.of(t);
    }
}
