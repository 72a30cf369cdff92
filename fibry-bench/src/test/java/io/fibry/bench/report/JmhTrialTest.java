package io.fibry.bench.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Runs JMH fork by fork. */
class JmhTrialTest {

    private static final String NAME = TinyBenchmark.class.getName() + ".once";
    private static final PrintStream NOWHERE = new PrintStream(OutputStream.nullOutputStream());

    @BeforeAll
    static void besideOthers() {
        System.setProperty("jmh.ignoreLock", "true"); // another benchmark may be running on this machine
    }

    @Test
    void thePeersAreNeighbours() {
        assertEquals(
                List.of(
                        "{peer=ABLE, size=1}",
                        "{peer=UNABLE, size=1}",
                        "{peer=BROKEN, size=1}",
                        "{peer=HANGING, size=1}",
                        "{peer=ABLE, size=2}",
                        "{peer=UNABLE, size=2}",
                        "{peer=BROKEN, size=2}",
                        "{peer=HANGING, size=2}"),
                trials(false, false).stream().map(t -> t.params().toString()).toList());
    }

    @Test
    void aQuickPassDoesLess() {
        assertEquals(
                List.of("3", "3", "3", "3", "4", "4", "4", "4"),
                trials(false, true).stream().map(t -> t.params().get("size")).toList());
        assertEquals(1, trials(false, false).get(0).share());
        assertEquals(1 / 3.0, trials(false, true).get(0).share()); // one iteration of three
    }

    @Test
    void aPeerReportsItsUnsupportedWork() {
        assertNull(trials(false, false).get(0).cannot());
        assertEquals("It has no TinyBenchmark.", trials(false, false).get(1).cannot());
    }

    @Test
    void eachRunIsAForkAndForksAddUp() throws IOException, InterruptedException {
        Trial able = trials(true, false).get(0);
        var results = new RawResults();
        results.add(able.fork());
        results.add(able.fork());
        assertEquals(2, results.forks(able));
        Figure time = figure(results, "");
        assertEquals("us/op", time.unit());
        assertTrue(time.min() > 0);
        assertEquals(2, figure(results, "things").forks().size());
    }

    private static Figure figure(RawResults results, String metric) {
        return results.figures().stream()
                .filter(f -> f.question().metric().equals(metric))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void theErrorOfABenchmarkIsTheReason() {
        for (boolean inFork : List.of(true, false)) {
            var error = assertThrows(
                    IOException.class, () -> trials(inFork, false).get(2).fork());
            assertEquals("IllegalStateException: it broke", error.getMessage());
        }
    }

    @Test
    void aForkThatHangsIsCutOff() {
        Trial hanging = trials(true, false).get(3);
        var error = assertThrows(IOException.class, () -> TimeLimit.fork(hanging, Duration.ofSeconds(2)));
        assertEquals("cut off after 2 s", error.getMessage());
    }

    private static List<Trial> trials(boolean inFork, boolean small) {
        var pace = new Pace(1, 1, Duration.ofMillis(1), 1, Duration.ofMinutes(1), Duration.ofMinutes(1), small, inFork);
        return JmhTrial.all(Pattern.compile(Pattern.quote(NAME)), pace, NOWHERE);
    }
}
