package io.fibry.cluster.pekko.harness;

import io.fibry.cluster.pekko.harness.Entry.Kind;
import io.fibry.cluster.pekko.harness.Report.Violation;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The lifetimes of the entities, for {@link JournalChecker}, which checks that there is one owner at a time. */
final class Instances {

    /**
     * The number of handlers, and of starts of entities, that a freeze may suspend between their permission to begin
     * and their first line; they appear late when the node resumes. It equals the number of threads that run handlers
     * at a time. They continue at once.
     */
    private static final int CAUGHT = 4;

    private static final long AT_ONCE = 100_000_000;

    /** An entity instance. */
    private static final class Instance {
        final Entry begin;
        final List<Entry> handled = new ArrayList<>();

        @Nullable
        Entry end;

        Instance(Entry begin) {
            this.begin = begin;
        }
    }

    private final List<Fault> faults;
    private final Report report;
    private final Map<Long, Instance> byId = new HashMap<>();

    /** The instances of each key, in the order of their starts. */
    private final Map<String, List<Instance>> byKey = new HashMap<>();

    private final Map<Fault, Integer> caught = new HashMap<>();

    Instances(List<Fault> faults, Report report) {
        this.faults = faults;
        this.report = report;
    }

    /** Accepts starts and ends, in chronological order. */
    void read(Entry entry) {
        if (entry.kind() == Kind.BEGIN) {
            var instance = new Instance(entry);
            if (byId.putIfAbsent(entry.instance(), instance) == null) {
                report.instances++;
                byKey.computeIfAbsent(entry.key(), key -> new ArrayList<>()).add(instance);
            }
        } else {
            Instance instance = byId.get(entry.instance());
            if (instance != null) {
                instance.end = entry;
            }
        }
    }

    /** Accepts handled messages, in chronological order, after all entries for {@link #read}. */
    void handled(Entry entry) {
        Instance instance = byId.get(entry.instance());
        if (instance == null || !instance.begin.key().equals(entry.key())) {
            report.add(Violation.MISROUTED, entry + " in " + (instance == null ? "no instance" : instance.begin));
            return;
        }
        instance.handled.add(entry);
        if (instance.end != null && entry.time() > instance.end.time()) {
            report.add(Violation.AFTER_END, entry + " after " + instance.end);
        }
    }

    /**
     * Compares each instance with the next one that has begun before its end. An instance whose start a freeze has
     * suspended precedes the one that has replaced it, and is never the owner.
     */
    void check() {
        for (List<Instance> ofKey : byKey.values()) {
            Instance owner = null;
            for (Instance next : List.copyOf(ofKey)) {
                if (owner != null && owner.end != null && owner.end.time() <= next.begin.time()) {
                    owner = null;
                }
                if (owner != null && wasCaught(next.begin)) {
                    report.caughtByFreeze++;
                    compare(next, owner);
                    ofKey.remove(next);
                    continue;
                }
                if (owner != null) {
                    compare(owner, next);
                }
                owner = next;
            }
        }
    }

    private void compare(Instance before, Instance next) {
        long begin = next.begin.time();
        if (faults.stream().noneMatch(fault -> mayHaveEnded(fault, before, begin))) {
            report.add(
                    Violation.EARLY,
                    next.begin + ", but " + before.begin
                            + (before.end == null ? " has not ended" : " ends at " + before.end.time()));
        }
        for (Entry entry : before.handled) {
            if (entry.time() > begin) {
                if (wasCaught(entry)) {
                    report.caughtByFreeze++;
                } else {
                    report.add(Violation.LATE, entry + " after " + next.begin);
                }
            }
        }
    }

    /**
     * Returns whether other nodes may have taken over this instance before its end, because of this fault of its node.
     */
    private static boolean mayHaveEnded(Fault fault, Instance instance, long nextBegin) {
        long lastBegin = fault.what().equals("kill") ? fault.time() : fault.until();
        return fault.node().equals(instance.begin.node())
                && fault.time() <= nextBegin
                && instance.begin.time() <= lastBegin;
    }

    private boolean wasCaught(Entry late) {
        for (Fault fault : faults) {
            if (fault.node().equals(late.node())
                    && fault.wake() > 0
                    && late.time() >= fault.wake()
                    && late.time() - fault.wake() < AT_ONCE
                    && caught.merge(fault, 1, Integer::sum) <= CAUGHT) {
                return true;
            }
        }
        return false;
    }

    /**
     * Returns the node with the latest instance of this key before this time; null if there is none, or if it has
     * ended.
     */
    @Nullable
    String ownerAt(String key, long time) {
        String owner = null;
        for (Instance instance : byKey.getOrDefault(key, List.of())) {
            if (instance.begin.time() <= time) {
                owner = instance.end != null && instance.end.time() < time ? null : instance.begin.node();
            }
        }
        return owner;
    }

    /**
     * Returns whether the entity left its owner after this time and had no new owner at the start of the fault: the new
     * owner may be the faulty node.
     */
    boolean movesDuring(Fault fault, String key, long sent) {
        Instance before = null;
        for (Instance instance : byKey.getOrDefault(key, List.of())) {
            if (isGap(before, instance.begin.time(), fault, sent)) {
                return true;
            }
            before = instance;
        }
        return isGap(before, Long.MAX_VALUE, fault, sent);
    }

    private static boolean isGap(@Nullable Instance before, long nextBegin, Fault fault, long sent) {
        return before != null
                && before.end != null
                && before.end.time() >= sent
                && before.end.time() <= fault.until()
                && nextBegin > fault.time();
    }
}
