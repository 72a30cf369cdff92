package io.fibry.bench.report;

import static io.fibry.bench.report.Fakes.FakeTrial;
import static io.fibry.bench.report.Fakes.LackingTrial;
import static io.fibry.bench.report.Fakes.StallTrial;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Trials run in rounds, no result is lost, and failures are reported. */
class RoundsTest {

    private static final Map<String, String> CARD = Map.of("commit", "abc", "cores", "2");

    private final ByteArrayOutputStream console = new ByteArrayOutputStream();
    private final List<String> order = Fakes.order();

    @TempDir
    private Path folder;

    @Test
    void peersTakeTurns() throws IOException, InterruptedException {
        RunFolder run = RunFolder.begin(folder, CARD);
        rounds(run, 3, FakeTrial.of("A", order), FakeTrial.of("B", order));
        assertEquals(List.of("A", "B", "B", "A", "A", "B"), order);
        Figure a = figure(run, "A", "");
        assertEquals(List.of(1.0, 2.0, 3.0), a.forks());
        assertEquals(Map.of("size", "3"), a.question().params());
        assertEquals(
                List.of(100.0, 200.0, 300.0), figure(run, "A", "peakMemory").forks());
    }

    @Test
    void progressContainsTheRemainingTime() throws IOException, InterruptedException {
        rounds(RunFolder.begin(folder, CARD), 2, FakeTrial.of("A", order));
        String text = console.toString(StandardCharsets.UTF_8);
        assertTrue(text.contains("round 1 of 2, some.Ring.hop {peer=A, size=3}"), text);
        assertTrue(text.contains("1 forks left, about 0:00 min"), text);
    }

    @Test
    void aKilledRunResumes() throws IOException, InterruptedException {
        RunFolder run = RunFolder.begin(folder, CARD);
        var killer = new FakeTrial("B", null, 0, 2, order);
        assertThrows(AssertionError.class, () -> rounds(run, 3, FakeTrial.of("A", order), killer));
        assertEquals(List.of("A", "B", "B"), order);

        var error = assertThrows(IOException.class, () -> RunFolder.begin(folder, CARD));
        assertTrue(error.getMessage().contains("--resume"), error.getMessage());
        order.removeLast();
        RunFolder again = RunFolder.resume(folder, CARD);
        rounds(again, 3, FakeTrial.of("A", order), FakeTrial.of("B", order));
        assertEquals(List.of("A", "B", "B", "A", "A", "B"), order);
        assertEquals(
                List.of(1.0, 2.0, 3.0), figure(RunFolder.open(folder), "B", "").forks());
    }

    @Test
    void aRunDoesNotResumeOnAnotherCommit() throws IOException {
        RunFolder.begin(folder, CARD);
        Map<String, String> other = Map.of("commit", "def", "cores", "2");
        var error = assertThrows(IOException.class, () -> RunFolder.resume(folder, other));
        assertTrue(error.getMessage().contains("commit was abc and is now def"), error.getMessage());
    }

    @Test
    void aFinishedRunIsReplaced() throws IOException, InterruptedException {
        RunFolder run = RunFolder.begin(folder, CARD);
        rounds(run, 1, FakeTrial.of("A", order));
        run.finish();
        assertEquals(List.of(), RunFolder.begin(folder, CARD).figures());
        assertEquals(List.of(), RunFolder.open(folder).figures());
    }

    @Test
    void failuresAndUnsupportedWorkAreShown() throws IOException, InterruptedException {
        RunFolder run = RunFolder.begin(folder, CARD);
        rounds(
                run,
                3,
                new FakeTrial("A", null, 2, 0, order),
                new FakeTrial("B", "It has no rings.", 0, 0, order),
                FakeTrial.of("C", order));
        assertEquals(List.of("A", "C", "C", "A", "C"), order);
        Map<String, String> gaps = RunFolder.open(folder).gaps();
        assertEquals("failed: no more memory (in fork 2)", gaps.get("some.Ring.hop {peer=A, size=3}"));
        assertEquals("It has no rings.", gaps.get("some.Ring.hop {peer=B, size=3}"));
        Markdown.write(run, List.of());
        String page = Files.readString(folder.resolve("report.md"));
        assertTrue(page.contains("| b | – |  |  | It has no rings. |"), page);
        assertTrue(page.contains("| a | – |  |  | failed: no more memory (in fork 2) |"), page);
    }

    @Test
    void missingToolsAreReportedBeforeTheRun() throws IOException, InterruptedException {
        rounds(
                RunFolder.begin(folder, CARD),
                1,
                FakeTrial.of("A", order),
                new FakeTrial("B", "It has no rings.", 0, 0, order),
                new LackingTrial("C", "ab is missing; install it"),
                new LackingTrial("D", "ab is missing; install it"));
        String text = console.toString(StandardCharsets.UTF_8);
        assertTrue(text.replace("\r", "").startsWith("""
            ab is missing; install it
              not measured without it: some.Load.tcp {peer=C}
              not measured without it: some.Load.tcp {peer=D}
            1 forks, about 0:00 min
            """), text);
    }

    @Test
    @Timeout(60)
    void aForkEndsWithTheTimeOfThePass() throws IOException, InterruptedException {
        RunFolder run = RunFolder.begin(folder, CARD);
        var pace = new Pace(1, 1, Duration.ofMillis(1), 1, Duration.ofHours(1), Duration.ofSeconds(4), false, true);
        var log = new PrintStream(OutputStream.nullOutputStream());
        List<Trial> hanging = JmhTrial.all(Pattern.compile("TinyBenchmark"), pace, log).stream()
                .filter(trial -> trial.peer().equals("HANGING"))
                .limit(1)
                .toList();
        new Rounds(hanging, pace, run, new PrintStream(console, true, StandardCharsets.UTF_8)).run();
        String why = run.gaps().get(hanging.getFirst().id());
        assertEquals(
                "not run: the time of the pass, 0 minutes, was over", why, console.toString(StandardCharsets.UTF_8));
    }

    @Test
    void whenTheTimeIsOverTheRestIsSeenToBeMissing() throws IOException, InterruptedException {
        RunFolder run = RunFolder.begin(folder, CARD);
        var pace = new Pace(1, 1, Duration.ZERO, 1, Duration.ofMinutes(1), Duration.ofMinutes(-1), false, true);
        new Rounds(List.of(FakeTrial.of("A", order)), pace, run, System.out).run();
        assertEquals(List.of(), order);
        assertTrue(run.gaps().get("some.Ring.hop {peer=A, size=3}").startsWith("not run"));
    }

    @Test
    void aForkDuringAStallIsRepeated() throws IOException, InterruptedException {
        RunFolder run = RunFolder.begin(folder, CARD);
        rounds(run, 2, stallsIn(1, 3), new StallTrial("A", order), FakeTrial.of("B", order));
        run.finish();
        assertEquals(List.of("A", "A", "B", "B", "A"), order);
        assertEquals(List.of(2.0, 3.0), figure(run, "A", "").forks());
        RunFolder read = RunFolder.open(folder);
        assertEquals(Map.of("some.Ring.hop {peer=A, size=3}", 1), read.discarded());
        assertEquals("1", read.card().get("forks discarded because the machine stalled"));
        String text = console.toString(StandardCharsets.UTF_8);
        assertTrue(text.contains("  discarded: the machine stalled for "), text);
    }

    @Test
    void withTooFewForksWithoutAStallThereIsNoFigure() throws IOException, InterruptedException {
        RunFolder run = RunFolder.begin(folder, CARD);
        rounds(run, 3, stallsIn(2, 3, 4, 5, 6, 7), new StallTrial("A", order));
        assertEquals(1 + 3 + 3, order.size());
        assertEquals(List.of(), RunFolder.open(folder).figures());
        assertEquals(
                "the machine stalled in all but 1 of 3 forks, also when they were repeated",
                run.gaps().get("some.Ring.hop {peer=A, size=3}"));
    }

    /** Makes the watches of a pass; the machine stalls in the watches with these numbers. */
    private static Supplier<ClockWatch> stallsIn(Integer... numbers) {
        var count = new AtomicInteger();
        return () -> {
            long step = List.of(numbers).contains(count.incrementAndGet()) ? 10_000_000 : 1_000_000;
            var nanos = new AtomicLong();
            return new ClockWatch(() -> nanos.addAndGet(step), Path.of("no waits"));
        };
    }

    private void rounds(RunFolder run, int forks, Supplier<ClockWatch> watches, Trial... trials)
            throws IOException, InterruptedException {
        var out = new PrintStream(console, true, StandardCharsets.UTF_8);
        new Rounds(List.of(trials), Pace.full(forks), run, out, watches, () -> 50).run();
    }

    private void rounds(RunFolder run, int forks, Trial... trials) throws IOException, InterruptedException {
        var out = new PrintStream(console, true, StandardCharsets.UTF_8);
        new Rounds(List.of(trials), Pace.full(forks), run, out).run();
    }

    private static Figure figure(RunFolder run, String peer, String metric) {
        return run.figures().stream()
                .filter(f -> f.peer().equals(peer) && f.question().metric().equals(metric))
                .findFirst()
                .orElseThrow();
    }
}
