package io.fibry.cluster.pekko.harness;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.cluster.pekko.harness.Entry.Kind;
import io.fibry.cluster.pekko.harness.Report.Violation;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The checker finds exactly the violation in each hand-written journal. */
class JournalCheckerTest {

    private final List<Entry> entries = new ArrayList<>();
    private final List<Fault> faults = new ArrayList<>();

    /** Starts instance 1 of key k at time 0 on node a. */
    @BeforeEach
    void begin() {
        instance(Kind.BEGIN, 0, "a", 1);
    }

    private void instance(Kind kind, long time, String node, long instance) {
        entries.add(new Entry(kind, time, node, instance, "k", "-", 0, 0, "-"));
    }

    private void sender(Kind kind, long time, long id) {
        entries.add(new Entry(kind, time, "s", 0, "k", "s/1", id, id, "-"));
    }

    private void handle(long time, String node, long instance, long id) {
        entries.add(new Entry(Kind.HANDLE, time, node, instance, "k", "s/1", id, id, "-"));
    }

    private Report check() {
        return JournalChecker.check(entries, faults);
    }

    /** Asserts that there is only this violation. */
    private void assertOnly(Violation violation, long count) {
        Report report = check();
        assertEquals(count, report.count(violation), report::toString);
        assertEquals(count, report.violations(), report::toString);
        assertTrue(report.toString().contains("\n  " + violation + ": Entry["), report::toString);
    }

    private Report assertClean() {
        Report report = check();
        assertEquals(0, report.violations(), report::toString);
        return report;
    }

    @Test
    void aCleanRun() {
        sender(Kind.SENT, 1, 1);
        handle(2, "a", 1, 1);
        sender(Kind.ASKED, 3, 2);
        handle(4, "a", 1, 2);
        sender(Kind.ANSWERED, 5, 2);
        sender(Kind.SENT, 6, 3);
        sender(Kind.REFUSED, 7, 3);
        sender(Kind.ASKED, 8, 4);
        sender(Kind.EXPIRED, 9, 4);
        sender(Kind.ASKED, 10, 5);
        sender(Kind.FAILED, 11, 5);
        instance(Kind.END, 12, "a", 1);
        instance(Kind.BEGIN, 13, "b", 2);
        sender(Kind.SENT, 14, 6);
        handle(15, "b", 2, 6);
        assertEquals(
                "told 2, asked 3, refused 1, handled 3, answered 1, failed 1, expired 1, reordered 0, lost to faults 0,"
                        + " caught by a freeze 0, instances 2; violations 0",
                assertClean().toString());
    }

    @Test
    void lost() {
        sender(Kind.SENT, 1, 1);
        assertOnly(Violation.LOST, 1);
    }

    @Test
    void lostToAFaultOfTheOwner() {
        sender(Kind.SENT, 20, 1);
        faults.add(new Fault(10, "a", "kill", 5, 30, 0));
        assertEquals(1, assertClean().lostToFaults());
    }

    @Test
    void lostToAFaultOfTheSender() {
        sender(Kind.SENT, 20, 1);
        faults.add(new Fault(10, "s", "kill", 5, 30, 0));
        assertEquals(1, assertClean().lostToFaults());
    }

    @Test
    void lostOnItsWayToTheNextOwnerThatFailed() {
        sender(Kind.SENT, 7, 1);
        instance(Kind.END, 8, "a", 1);
        faults.add(new Fault(10, "c", "kill", 5, 30, 0));
        instance(Kind.BEGIN, 25, "b", 2);
        assertEquals(1, assertClean().lostToFaults());
    }

    @Test
    void lostOnItsWayToANextOwnerThatDidNotFail() {
        sender(Kind.SENT, 7, 1);
        instance(Kind.END, 8, "a", 1);
        instance(Kind.BEGIN, 9, "b", 2);
        faults.add(new Fault(10, "c", "kill", 5, 30, 0));
        assertOnly(Violation.LOST, 1);
    }

    @Test
    void lostWhileAThirdNodeFailed() {
        sender(Kind.SENT, 20, 1);
        faults.add(new Fault(10, "c", "kill", 5, 30, 0));
        assertOnly(Violation.LOST, 1);
    }

    @Test
    void lostAfterTheFaultWasKnown() {
        sender(Kind.SENT, 31, 1);
        faults.add(new Fault(10, "a", "kill", 5, 30, 0));
        assertOnly(Violation.LOST, 1);
    }

    @Test
    void handledTwice() {
        sender(Kind.SENT, 1, 1);
        handle(2, "a", 1, 1);
        handle(3, "a", 1, 1);
        handle(4, "a", 1, 1);
        assertOnly(Violation.DOUBLE, 2);
    }

    @Test
    void handledThoughRefused() {
        sender(Kind.ASKED, 1, 1);
        sender(Kind.REFUSED, 2, 1);
        handle(3, "a", 1, 1);
        assertOnly(Violation.REFUSED_BUT_HANDLED, 1);
    }

    @Test
    void answeredWithoutBeingHandled() {
        sender(Kind.ASKED, 1, 1);
        sender(Kind.ANSWERED, 2, 1);
        assertOnly(Violation.FALSE_ANSWER, 1);
    }

    @Test
    void anAskWithoutAnOutcome() {
        sender(Kind.ASKED, 1, 1);
        handle(2, "a", 1, 1);
        assertOnly(Violation.HANGING, 1);
        faults.add(new Fault(2, "s", "kill", 1, 30, 0));
        assertClean();
    }

    @Test
    void handledButNeverSent() {
        handle(2, "a", 1, 1);
        assertOnly(Violation.UNKNOWN, 1);
    }

    @Test
    void handledByTheEntityOfAnotherKey() {
        sender(Kind.SENT, 1, 1);
        entries.add(new Entry(Kind.BEGIN, 1, "a", 2, "other", "-", 0, 0, "-"));
        handle(2, "a", 2, 1);
        assertOnly(Violation.MISROUTED, 1);
    }

    @Test
    void handledAfterTheEnd() {
        sender(Kind.SENT, 1, 1);
        instance(Kind.END, 2, "a", 1);
        handle(3, "a", 1, 1);
        assertOnly(Violation.AFTER_END, 1);
    }

    @Test
    void theNextBeginsTooEarly() {
        instance(Kind.BEGIN, 10, "b", 2);
        instance(Kind.END, 11, "a", 1);
        assertOnly(Violation.EARLY, 1);
    }

    @Test
    void theNextBeginsAndTheOneBeforeNeverEnds() {
        instance(Kind.BEGIN, 10, "b", 2);
        assertOnly(Violation.EARLY, 1);
    }

    @Test
    void theNextBeginsAfterAFaultOfTheOneBefore() {
        instance(Kind.BEGIN, 10, "b", 2);
        faults.add(new Fault(5, "a", "kill", 4, 30, 0));
        assertClean();
    }

    @Test
    void theNextBeginsAndTheFaultWasEarlierThanTheOneBefore() {
        faults.add(new Fault(-5, "a", "kill", -6, 30, 0)); // a has been restarted since
        instance(Kind.BEGIN, 10, "b", 2);
        assertOnly(Violation.EARLY, 1);
    }

    @Test
    void aFormerOwnerContinues() {
        faults.add(new Fault(5, "a", "freeze", 4, 30, 20));
        instance(Kind.BEGIN, 10, "b", 2);
        sender(Kind.SENT, 11, 1);
        sender(Kind.SENT, 11, 2);
        handle(200_000_000, "a", 1, 1);
        handle(200_000_001, "a", 1, 2);
        assertOnly(Violation.LATE, 2);
    }

    @Test
    void aHandlerContinuesAfterAFreeze() {
        faults.add(new Fault(5, "a", "freeze", 4, 30, 20));
        instance(Kind.BEGIN, 10, "b", 2);
        for (int id = 1; id <= 6; id++) {
            sender(Kind.SENT, 11, id);
            handle(20 + id, "a", 1, id);
        }
        assertOnly(Violation.LATE, 2); // at most the number of threads that run handlers
    }

    /** Starts instance 3 on node c, which resumes at time 20, and instance 2 on node b during the freeze. */
    private void startOnAFrozenNode(long time) {
        faults.add(new Fault(5, "c", "freeze", 4, 60, 20));
        instance(Kind.END, 4, "a", 1);
        instance(Kind.BEGIN, 10, "b", 2);
        instance(Kind.BEGIN, time, "c", 3);
    }

    @Test
    void aStartContinuesAfterAFreeze() {
        startOnAFrozenNode(21);
        sender(Kind.SENT, 22, 1);
        handle(23, "b", 2, 1);
        assertEquals(1, assertClean().caughtByFreeze);
    }

    @Test
    void aStartContinuesAfterAFreezeAndHandlesMessages() {
        startOnAFrozenNode(21);
        sender(Kind.SENT, 22, 1);
        handle(200_000_000, "c", 3, 1);
        assertOnly(Violation.LATE, 1);
    }

    @Test
    void aStartBeforeAFreezeThoughAnotherInstanceHasNotEnded() {
        faults.add(new Fault(5, "c", "freeze", 4, 60, 20));
        instance(Kind.BEGIN, 21, "c", 3);
        assertOnly(Violation.EARLY, 1);
    }

    @Test
    void aStartLongAfterAFreeze() {
        startOnAFrozenNode(200_000_000);
        assertOnly(Violation.EARLY, 1);
    }

    @Test
    void reordered() {
        for (int id = 1; id <= 5; id++) {
            sender(Kind.SENT, id, id);
        }
        handle(11, "a", 1, 1);
        handle(12, "a", 1, 4);
        handle(13, "a", 1, 2);
        handle(14, "a", 1, 3);
        handle(15, "a", 1, 5);
        assertEquals(2, assertClean().reordered());
    }

    @Test
    void filesAreReadWithoutAnUnfinishedLine(@TempDir Path folder) throws Exception {
        sender(Kind.SENT, 1, 1);
        handle(2, "a", 1, 1);
        handle(2_000_002, "a", 1, 1);
        var text = new StringBuilder();
        entries.forEach(entry -> text.append(entry.line()));
        Files.writeString(folder.resolve("a.journal"), text + "HANDLE 3 a");
        Files.writeString(folder.resolve("all.faults"), new Fault(1, "b", "kill", 0, 9, 0).line());
        Journals journals = Journals.read(folder);
        assertEquals(entries, journals.entries());
        assertEquals(List.of(new Fault(1, "b", "kill", 0, 9, 0)), journals.faults());
        assertEquals(1, journals.check().count(Violation.DOUBLE));
        assertEquals(Duration.ofMillis(2), journals.longestPause(key -> true, 0, 3_000_000));
        assertEquals(Duration.ZERO, journals.longestPause(key -> true, 3, 3_000_000));
        assertEquals("a", journals.ownersAt(9).get("k"));
    }
}
