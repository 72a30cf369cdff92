package io.fibry.bench.report;

import static io.fibry.bench.report.Fakes.figure;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.fibry.bench.savina.Savina;
import io.fibry.bench.savina.Worlds;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The Savina suite in the report. */
class SavinaTableTest {

    private static final String SUITE = "io.fibry.bench.savina.Savina.";
    private static final List<Figure> FIGURES = List.of(
            figure(SUITE + "pingpong", "FIBRY", "ms/op", 10.0, 30.0, 20.0),
            figure(SUITE + "pingpong", "PEKKO", "ms/op", 40.0, 60.0, 80.0),
            figure(SUITE + "pingpong", "KOTLIN", "ms/op", 41.0, 120.0, 81.0),
            new Figure(
                    Question.of(SUITE + "pingpong", Map.of(), Question.WAKE_UPS),
                    "FIBRY",
                    false,
                    "#/op",
                    List.of(8.0),
                    List.of()),
            figure(SUITE + "fjcreate", "FIBRY", "ms/op", 20.0),
            figure(SUITE + "fjcreate", "PEKKO", "ms/op", 20.0),
            figure(SUITE + "fjcreate", "KOTLIN", "ms/op", 10.0));

    @TempDir
    private Path folder;

    @Test
    void theTableShowsAllPeersAndTheBestOne() throws IOException {
        var gaps = Map.of(SUITE + "fjcreate {peer=VIRTUAL_THREADS}", "failed: no result");
        String text = SavinaTable.markdown(Answers.of(FIGURES, gaps));
        assertTrue(text.contains("""
            | workload | Fibry | Pekko | Kotlin coroutines | virtual threads with queues | beside the best | wake-ups |
            |---|---|---|---|---|---|---|
            | ping-pong | 20.0 ms | 60.0 ms | 81.0 ms | – | 0.25 × Pekko | 8.00 |
            | fork-join, creation | 20.0 ms | 20.0 ms | 10.0 ms | – | 2.00 × Kotlin coroutines |  |
            |  | virtual threads with queues: failed: no result |
            """), text);
    }

    @Test
    void theGoalsAreMeansAndNoRowMayBeBehind() throws IOException {
        String text = SavinaTable.markdown(Answers.of(FIGURES, Map.of()));
        assertTrue(text.contains("""
            | goal | must | measured | |
            |---|---|---|---|
            | geometric mean of 2 workloads, beside Kotlin coroutines | ≤ 0.65 × | 0.70 × | **missed** |
            | geometric mean of 2 workloads, beside Pekko | ≤ 0.5 × | 0.50 × | met |
            | geometric mean of 0 workloads, beside virtual threads with queues | ≤ 0.45 × | – × | not measured |
            | workloads behind the best peer | 0 | 1 | **missed** |
            """), text);
        assertTrue(text.contains("### Why goals of the suite are missed"), text);
        assertTrue(text.contains("- **fork-join, creation, 2.00 × Kotlin coroutines.** "), text);
    }

    @Test
    void aRowWithoutAKnownCauseHasTheRangeOfItsForks() throws IOException {
        Figure peer = figure(SUITE + "count", "PEKKO", "ms/op", 10.0, 10.0, 10.0);
        Figure ours = figure(SUITE + "count", "FIBRY", "ms/op", 12.0, 8.0, 15.0);
        String text = SavinaTable.markdown(Answers.of(List.of(peer, ours), Map.of()));
        assertTrue(text.contains("Pekko.** By forks it is 0.80 to 1.50 ×. The cause has not been measured."), text);
    }

    @Test
    void aRunOfTheSuiteHasNoSectionForEachWorkload() throws IOException {
        RunFolder run = RunFolder.begin(folder.resolve("savina"), Map.of(RunFolder.ONLY, "Savina"));
        Trial trial = SavinaTrial.all(Pattern.compile("pingpong$")).getFirst();
        run.add(trial, Fakes.result(trial.benchmark(), trial.params(), 60));
        RunFolder read = RunFolder.open(run.path());
        assertEquals(1, read.forks(trial));
        Markdown.write(read, Goals.ALL);
        String page = Files.readString(run.path().resolve("report.md"));
        assertTrue(page.contains("\n## Savina suite\n") && page.contains("\n| ping-pong | "), page);
        assertEquals(1, page.lines().filter(line -> line.startsWith("## ")).count(), page);
    }

    @Test
    void anotherRunHasNoTable() throws IOException {
        assertEquals(
                "", SavinaTable.markdown(Answers.of(List.of(figure("a.Ring.hop", "FIBRY", "ns/op", 1.0)), Map.of())));
    }

    @Test
    void aForkHasTheMedianOfItsIterations() throws IOException {
        var trial = new SavinaTrial(Savina.of("big"), Worlds.PEKKO);
        JsonNode fork = trial.result("12.500 ms\n10.000 ms\n11.000 ms\n7 wake-ups\nmedian 11.000 ms\n")
                .get(0);
        assertEquals(List.of(11.0), JmhMetric.forks(fork.get("primaryMetric")));
        assertEquals(List.of(7.0), JmhMetric.forks(fork.at("/secondaryMetrics/" + Question.WAKE_UPS)));
        assertEquals(SUITE + "big", fork.get("benchmark").asText());
        assertThrows(IOException.class, () -> trial.result("nothing"));
    }

    @Test
    void allWorkloadsAreRunWithAllPeers() {
        List<Trial> all = SavinaTrial.all(Pattern.compile(""));
        assertEquals(Savina.ALL.size() * Worlds.values().length, all.size());
        assertEquals(all.size(), all.stream().map(Trial::id).distinct().count());
    }

    @Test
    void everyReasonIsForAWorkloadOrAMean() throws IOException {
        for (String key : SavinaTable.reasons().stringPropertyNames()) {
            boolean known =
                    Savina.ALL.stream().anyMatch(workload -> workload.name().equals(key));
            assertTrue(known || key.matches("mean-(pekko|kotlin|virtual_threads)"), key);
        }
    }
}
