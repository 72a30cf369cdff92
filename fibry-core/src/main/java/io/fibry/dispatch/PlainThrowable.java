package io.fibry.dispatch;

import java.io.Serial;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A copy of a throwable for the log, with an escaped text. Its stack trace, its causes and its suppressed throwables
 * are those of the original, and each of them is a copy, too. The message starts with the original's class, because
 * some loggers print the class of the copy instead of its {@link #toString()}.
 */
final class PlainThrowable extends Throwable {

    @Serial
    private static final long serialVersionUID = 1;

    private PlainThrowable(String text) {
        super(text);
    }

    /** The throwable itself if neither it nor a throwable in its trace has a hostile text, and otherwise a copy. */
    static Throwable of(Throwable t) {
        if (t.getCause() == null && t.getSuppressed().length == 0) { // in most cases; no allocations
            return isPlain(t) ? t : copy(t, new IdentityHashMap<>());
        }
        Set<Throwable> seen = Collections.newSetFromMap(new IdentityHashMap<>()); // a chain of causes may be cyclic
        var next = new ArrayDeque<Throwable>();
        next.add(t);
        while (!next.isEmpty()) {
            Throwable part = next.remove();
            if (!seen.add(part)) {
                continue;
            }
            if (!isPlain(part)) {
                return copy(t, new IdentityHashMap<>());
            }
            if (part.getCause() != null) {
                next.add(part.getCause());
            }
            Collections.addAll(next, part.getSuppressed());
        }
        return t;
    }

    private static Throwable copy(Throwable t, Map<Throwable, Throwable> copies) {
        Throwable known = copies.get(t);
        if (known != null) {
            return known;
        }
        var copy = new PlainThrowable(LogText.plain(t));
        copies.put(t, copy);
        copy.setStackTrace(t.getStackTrace());
        Throwable cause = t.getCause();
        if (cause != null && cause != t) {
            copy.initCause(copy(cause, copies));
        }
        for (Throwable suppressed : t.getSuppressed()) {
            copy.addSuppressed(copy(suppressed, copies));
        }
        return copy;
    }

    private static boolean isPlain(Throwable t) {
        return isPlainText(t.toString()) && isPlainText(t.getMessage()); // loggers print one or the other
    }

    @SuppressWarnings("ReferenceEquality") // a plain text is returned as it is
    private static boolean isPlainText(@Nullable String text) {
        return text == null || LogText.plain(text) == text;
    }

    @Override
    @SuppressWarnings("OverrideThrowableToString") // its own class would come first, which is of no interest
    public String toString() {
        return String.valueOf(getMessage());
    }

    /** The stack trace is that of the original. */
    @Override
    public Throwable fillInStackTrace() {
        return this;
    }
}
