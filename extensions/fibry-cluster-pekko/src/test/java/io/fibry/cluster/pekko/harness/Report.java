package io.fibry.cluster.pekko.harness;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** The result of {@link JournalChecker}: exact counts, and the first violations of each kind as text. */
public final class Report {

    /** A violation of a guarantee of the cluster. */
    public enum Violation {
        /** Accepted by a tell and never handled, without a fault that excuses it. */
        LOST,
        /** Handled more than once. */
        DOUBLE,
        /** Handled, although it was refused to its sender. */
        REFUSED_BUT_HANDLED,
        /** Answered, but not handled. */
        FALSE_ANSWER,
        /** An ask of a live node without an outcome. */
        HANGING,
        /** Handled, but never sent. */
        UNKNOWN,
        /** Handled by the entity of another key. */
        MISROUTED,
        /** An instance began before the end of its predecessor on another node, without a fault that excuses it. */
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

    /** Adds the counts of another report, without its examples. */
    void add(Report other) {
        other.violations.forEach((violation, count) -> violations.merge(violation, count, Long::sum));
        sent += other.sent;
        asked += other.asked;
        refused += other.refused;
        handled += other.handled;
        answered += other.answered;
        failed += other.failed;
        expired += other.expired;
        reordered += other.reordered;
        lostToFaults += other.lostToFaults;
        caughtByFreeze += other.caughtByFreeze;
        instances += other.instances;
    }

    /** Returns the number of violations of this kind. */
    public long count(Violation violation) {
        return violations.getOrDefault(violation, 0L);
    }

    /** Returns the number of violations of all kinds. */
    public long violations() {
        return violations.values().stream().mapToLong(Long::longValue).sum();
    }

    /** Returns the number of messages that tell has accepted. */
    public long told() {
        return sent;
    }

    /** Returns the number of messages that were refused to their senders. */
    public long refused() {
        return refused;
    }

    public long handled() {
        return handled;
    }

    public long answered() {
        return answered;
    }

    /** Returns the number of messages that were handled after a later one of the same sender and key. */
    public long reordered() {
        return reordered;
    }

    /** Returns the number of messages to or from a node that were lost during its fault. */
    public long lostToFaults() {
        return lostToFaults;
    }

    /** Returns all counts in one line. */
    public String summary() {
        return "told " + sent + ", asked " + asked + ", refused " + refused + ", handled " + handled + ", answered "
                + answered
                + ", failed " + failed + ", expired " + expired + ", reordered " + reordered + ", lost to faults "
                + lostToFaults + ", caught by a freeze " + caughtByFreeze + ", instances " + instances + "; violations "
                + (violations.isEmpty() ? "0" : violations.toString());
    }

    /** Returns all counts, and the first violations of each kind. */
    @Override
    public String toString() {
        return examples.isEmpty() ? summary() : summary() + "\n  " + String.join("\n  ", examples);
    }
}
