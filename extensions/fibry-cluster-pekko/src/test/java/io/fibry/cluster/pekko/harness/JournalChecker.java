package io.fibry.cluster.pekko.harness;

import io.fibry.cluster.pekko.harness.Entry.Kind;
import io.fibry.cluster.pekko.harness.Report.Violation;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Checks the journals of all nodes of a run together. Call it when no node sends and no message is in transit.
 *
 * <p>The main method checks folders with {@code *.journal} and {@code *.faults} files.
 */
public final class JournalChecker {

    /** A message and its history. */
    private static final class Story {
        final Entry sent;

        @Nullable
        Entry outcome;

        int handled;

        Story(Entry sent) {
            this.sent = sent;
        }
    }

    private final List<Fault> faults;
    private final Map<Long, Story> messages = new HashMap<>();
    private final Instances instances;
    private final Report report = new Report();

    private JournalChecker(List<Fault> faults) {
        this.faults = faults;
        instances = new Instances(faults, report);
    }

    static Report check(List<Entry> entries, List<Fault> faults) {
        var checker = new JournalChecker(faults);
        List<Entry> inOrder =
                entries.stream().sorted(Comparator.comparingLong(Entry::time)).toList();
        inOrder.forEach(checker::read); // sends first: a sender may record a message later than its handler does
        inOrder.stream().filter(e -> e.kind() == Kind.HANDLE).forEach(checker::handled);
        checker.instances.check();
        checker.messages.values().stream()
                .sorted(Comparator.comparingLong(story -> story.sent.time()))
                .forEach(checker::judge);
        checker.countReordered(inOrder);
        return checker.report;
    }

    private void read(Entry entry) {
        switch (entry.kind()) {
            case SENT, ASKED -> messages.put(entry.id(), new Story(entry));
            case REFUSED, ANSWERED, FAILED, EXPIRED -> {
                Story story = messages.get(entry.id());
                if (story != null) {
                    story.outcome = entry;
                }
            }
            case BEGIN, END -> instances.read(entry);
            case HANDLE, INTERRUPTED, REMOVED -> {}
        }
    }

    private void handled(Entry entry) {
        report.handled++;
        instances.handled(entry);
        Story story = messages.get(entry.id());
        if (story == null) {
            report.add(Violation.UNKNOWN, entry.toString());
        } else if (++story.handled > 1) {
            report.add(Violation.DOUBLE, entry + " of " + story.sent);
        }
    }

    private void judge(Story story) {
        Entry sent = story.sent;
        if (sent.kind() == Kind.ASKED) {
            report.asked++;
        }
        if (story.outcome == null) {
            judgeWithoutOutcome(story);
            return;
        }
        switch (story.outcome.kind()) {
            case REFUSED -> {
                report.refused++;
                if (story.handled > 0) {
                    report.add(Violation.REFUSED_BUT_HANDLED, sent + ", " + story.outcome);
                }
            }
            case ANSWERED -> {
                report.answered++;
                if (story.handled == 0) {
                    report.add(Violation.FALSE_ANSWER, sent + ", " + story.outcome);
                }
            }
            case EXPIRED -> report.expired++;
            default -> report.failed++;
        }
    }

    private void judgeWithoutOutcome(Story story) {
        Entry sent = story.sent;
        if (sent.kind() == Kind.ASKED) {
            if (faults.stream()
                    .noneMatch(
                            fault -> fault.what().equals("kill") && fault.node().equals(sent.node()))) {
                report.add(Violation.HANGING, sent.toString());
            }
            return;
        }
        report.sent++;
        if (story.handled > 0) {
            return;
        }
        if (faults.stream().anyMatch(fault -> explains(fault, sent))) {
            report.lostToFaults++;
        } else {
            String owner = instances.ownerAt(sent.key(), sent.time());
            report.add(Violation.LOST, sent + ", when its entity was on " + owner);
        }
    }

    private boolean explains(Fault fault, Entry sent) {
        if (sent.time() < fault.from() || sent.time() > fault.until()) {
            return false;
        }
        String owner = instances.ownerAt(sent.key(), sent.time());
        return owner == null
                || owner.equals(fault.node())
                || sent.node().equals(fault.node())
                || instances.movesDuring(fault, sent.key(), sent.time());
    }

    private void countReordered(List<Entry> inOrder) {
        Map<String, Long> latest = new HashMap<>();
        for (Entry entry : inOrder) {
            if (entry.kind() == Kind.HANDLE) {
                long before = latest.getOrDefault(entry.sender() + " " + entry.key(), 0L);
                if (entry.sequence() < before) {
                    report.reordered++;
                }
                latest.merge(entry.sender() + " " + entry.key(), entry.sequence(), Math::max);
            }
        }
    }

    public static void main(String[] folders) throws IOException {
        for (String folder : folders) {
            System.out.println(folder + ": " + Journals.read(Path.of(folder)).check());
        }
    }
}
