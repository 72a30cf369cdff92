package io.fibry.cluster.pekko.harness;

import io.fibry.cluster.pekko.harness.Entry.Kind;
import io.fibry.cluster.pekko.harness.Report.Violation;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The lives of the entities, for {@link JournalChecker}: whether there is one owner at a time. */
final class Instances {

    /**
     * The handlers that a freeze catches between their permission to begin and their first line look late when the node wakes. There are
     * as many as threads run handlers at a time, and they go on at once.
     */
    private static final int CAUGHT = 4;

    private static final long AT_ONCE = 100_000_000;

    /** An entity in memory. */
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

    /** In the order of their begins. */
    private final Map<String, List<Instance>> byKey = new HashMap<>();

    private final Map<Fault, Integer> caught = new HashMap<>();

    Instances(List<Fault> faults, Report report) {
        this.faults = faults;
        this.report = report;
    }

    /** Takes begins and ends, in the order of time. */
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

    /** Takes what was handled, in the order of time, after all that {@link #read} takes. */
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

    /** Compares each instance with the next one that has begun before its end. */
    void check() {
        for (List<Instance> ofKey : byKey.values()) {
            List<Instance> open = new ArrayList<>();
            for (Instance next : ofKey) {
                long begin = next.begin.time();
                open.removeIf(before -> before.end != null && before.end.time() <= begin);
                open.forEach(before -> compare(before, next));
                open.clear();
                open.add(next);
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

    /** Whether the others may have taken this instance over before it ended, because of this fault of its node. */
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

    /** The node whose entity of this key began last before this time; null if none has begun, or it has ended. */
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

    /** Whether the entity left its owner after this time, and had no new one when the fault began: it may be the faulty node. */
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
