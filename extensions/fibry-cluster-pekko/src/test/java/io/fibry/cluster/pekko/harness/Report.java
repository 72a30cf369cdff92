package io.fibry.cluster.pekko.harness;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** What {@link JournalChecker} has found: exact counts, and the first few of each kind as text. */
public final class Report {

    /** What a cluster may do wrong. */
    public enum Violation {
        /** Accepted by a tell, never handled, and no fault explains it. */
        LOST,
        /** Handled more than once. */
        DOUBLE,
        /** Handled, though its sender was told that nobody would. */
        REFUSED_BUT_HANDLED,
        /** Answered, but not handled. */
        FALSE_ANSWER,
        /** An ask without an outcome, of a node that lives. */
        HANGING,
        /** Handled, but never sent. */
        UNKNOWN,
        /** Handled by the entity of another key. */
        MISROUTED,
        /** An instance began before the one before it on another node had ended, and no fault explains it. */
        EARLY,
        /** A handler began a message after the next instance had begun. */
        LATE,
        /** A handler began a message after the end of its instance. */
        AFTER_END
    }

    private static final int EXAMPLES = 5;

    private final Map<Violation, Long> violations = new EnumMap<>(Violation.class);
    private final List<String> examples = new ArrayList<>();

    long sent;
    long asked;
    long refused;
    long handled;
    long answered;
    long failed;
    long expired;
    long reordered;
    long lostToFaults;
    long caughtByFreeze;
    long instances;

    void add(Violation violation, String text) {
        if (violations.merge(violation, 1L, Long::sum) <= EXAMPLES) {
            examples.add(violation + ": " + text);
        }
    }

    /** How many there are of this kind. */
    public long count(Violation violation) {
        return violations.getOrDefault(violation, 0L);
    }

    /** How many there are of all kinds. */
    public long violations() {
        return violations.values().stream().mapToLong(Long::longValue).sum();
    }

    /** The messages that tell accepted. */
    public long told() {
        return sent;
    }

    /** The messages that were refused to their senders. */
    public long refused() {
        return refused;
    }

    public long handled() {
        return handled;
    }

    public long answered() {
        return answered;
    }

    /** The messages that were handled after a later one of the same sender and key. */
    public long reordered() {
        return reordered;
    }

    /** The messages that got lost to or from a node at the time of its fault. */
    public long lostToFaults() {
        return lostToFaults;
    }

    /** All counts in one line. */
    public String summary() {
        return "told " + sent + ", asked " + asked + ", refused " + refused + ", handled " + handled + ", answered "
                + answered
                + ", failed " + failed + ", expired " + expired + ", reordered " + reordered + ", lost to faults "
                + lostToFaults + ", caught by a freeze " + caughtByFreeze + ", instances " + instances + "; violations "
                + (violations.isEmpty() ? "0" : violations.toString());
    }

    /** All counts, and the first few violations of each kind. */
    @Override
    public String toString() {
        return examples.isEmpty() ? summary() : summary() + "\n  " + String.join("\n  ", examples);
    }
}
