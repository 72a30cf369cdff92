package io.fibry.test;

import io.fibry.dispatch.LogText;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The trace of a run: a fingerprint that distinguishes runs, and optionally a text with one line per step. */
final class Trace {

    private static final int LONGEST_MESSAGE = 100;
    private static final int MOST_LINES = 10_000;
    private static final int PRIME = 31;

    /**
     * The suffix that {@link Object#toString} appends to the name of a class. It differs between runs. A suffix of less
     * than five digits is rare, and may be part of a text, as in {@code me@abc}: it must follow a name with a package.
     */
    private static final Pattern IDENTITY =
            Pattern.compile("((?<=[\\w$;])LAMBDA@[0-9a-f]{5,8}|(?<=\\.[\\w$]{1,200};?)LAMBDA@[0-9a-f]{1,4})\\b(?!\\.)"
                    .replace("LAMBDA", "(\\$\\$Lambda/0x[0-9a-f]+)?"));

    private final @Nullable List<String> lines;
    private long fingerprint;

    private Trace(@Nullable List<String> lines) {
        this.lines = lines;
    }

    /** Returns a trace without lines, which has little overhead. */
    static Trace silent() {
        return new Trace(null);
    }

    static Trace recording() {
        return new Trace(new ArrayList<>());
    }

    /** Returns a number that is equal for equal runs, and differs with high probability for different runs. */
    long fingerprint() {
        return fingerprint;
    }

    List<String> lines() {
        return lines == null ? List.of() : List.copyOf(lines);
    }

    void chosen(int choice, int among) {
        fingerprint = (fingerprint * PRIME + choice) * PRIME + among;
    }

    void handles(Strand actor, Object message, @Nullable Object sender) {
        fingerprint = fingerprint * PRIME + actor.number;
        if (lines != null) {
            add(actor + " handles " + text(message) + (sender == null ? "" : " from " + sender));
        }
    }

    void fails(Strand actor, Throwable fault) {
        if (lines != null) {
            add(actor + " fails: " + fault);
        }
    }

    void makesWay(Strand strand) {
        if (lines != null) {
            add(strand + " makes way");
        }
    }

    void waits(Strand strand, String what) {
        if (lines != null) {
            add(strand + " waits for " + what);
        }
    }

    void timeIs(VirtualClock clock) {
        fingerprint = fingerprint * PRIME + clock.now();
        if (lines != null) {
            add("time is " + text(clock.now()));
        }
    }

    private void add(String line) {
        List<String> l = lines;
        if (l != null && l.size() <= MOST_LINES) {
            l.add(l.size() == MOST_LINES ? "and so on" : plain(line));
        }
    }

    // ---- texts

    static String text(long nanos) {
        return Duration.ofNanos(nanos).toString().substring(2).toLowerCase(Locale.ROOT);
    }

    static String text(Object message) {
        if (message instanceof Runnable) {
            return "code";
        }
        Class<?> type = message.getClass();
        String text;
        try {
            text = String.valueOf(message);
        } catch (RuntimeException | StackOverflowError e) { // the latter, for instance, if two lists have each other
            return type.getSimpleName();
        }
        text = IDENTITY.matcher(text).replaceAll("");
        return plain(text.length() <= LONGEST_MESSAGE ? text : text.substring(0, LONGEST_MESSAGE) + "..");
    }

    /** The text on one line, without control characters. */
    static String plain(String text) {
        return LogText.plain(text);
    }
}
