package io.fibry.bench.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.fibry.bench.latency.Finding;
import io.fibry.bench.latency.Latency;
import io.fibry.bench.latency.LatencyPeer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Latencies as results and in the report. Nothing is measured. */
class LatencyTablesTest {

    private static final Pace PACE = Pace.full(5);
    private static final List<Trial> ALL = LatencyTrial.all(Pattern.compile(""), PACE);

    @TempDir
    private Path folder;

    private static LatencyTrial burn(LatencyPeer peer) {
        var params = new TreeMap<>(Map.of("micros", "1000", Trial.PEER, peer.name()));
        return new LatencyTrial(Latency.BURN, peer, params, PACE);
    }

    private static JsonNode fork(LatencyTrial trial, double p99) {
        return trial.result(List.of(
                new Finding("p50", 100, "us/op"),
                new Finding("p99", p99, "us/op"),
                new Finding("max", 60_000, "us/op"),
                new Finding("echo-p50", 200, "us/op"),
                new Finding("burned", 97.5, "%")));
    }

    @Test
    void theReportHasATableWithThePercentilesSideBySide() throws IOException {
        RunFolder run = RunFolder.begin(folder.resolve("run"), Map.of());
        run.add(burn(LatencyPeer.FIBRY), fork(burn(LatencyPeer.FIBRY), 1_000));
        run.add(burn(LatencyPeer.FIBRY), fork(burn(LatencyPeer.FIBRY), 3_000));
        run.add(burn(LatencyPeer.VIRTUAL_THREADS), fork(burn(LatencyPeer.VIRTUAL_THREADS), 2_000_000));
        run.gap(burn(LatencyPeer.PEKKO), "failed: 3 were handled instead of 4");
        RunFolder read = RunFolder.open(run.path());
        Markdown.write(read, Goals.of(read.figures()));
        String page = Files.readString(run.path().resolve("report.md"));
        assertTrue(page.endsWith("""

            ## Beside handlers that burn all processors: a virtual thread that sleeps 10 ms, and an echo on one

            | micros | peer | thread p50 | p99 | max | echo p50 | p99 | max | processors burned | forks | p99, ours = 1 |
            |---|---|---|---|---|---|---|---|---|---|---|
            | 1,000 | **Fibry** | 100 µs | 2.00 ms | 60.0 ms | 200 µs | – | – | 97.5 % | 2 | 1 |
            | 1,000 | virtual threads with queues | 100 µs | 2.00 s | 60.0 ms | 200 µs | – | – | 97.5 % | 1 | 2,000 (2,000 – 2,000) |
            | 1,000 | Pekko | – | – | – | – | – | – | – |  | failed: 3 were handled instead of 4 |
            """), page);
        assertTrue(
                page.contains(
                        "| a sleeping virtual thread beside handlers of 1 ms, at the latest, in µs | ≤ 50000 |  | 60.0"
                                + " ms |  | **missed** |"),
                page);
        assertFalse(page.contains("![chart]"), page);
    }

    @Test
    void withoutLatenciesThereIsNoTable() {
        assertEquals("", LatencyTables.of(List.of()));
        assertEquals(Goals.ALL, Goals.of(List.of()));
    }

    @Test
    void everyPeerOfEachCaseIsMeasuredInAllForks() {
        int pairs = 0;
        for (Latency latency : Latency.values()) {
            pairs += latency.cases().size() * latency.peers().size();
        }
        assertEquals(pairs, ALL.stream().map(Trial::id).distinct().count());
        assertTrue(ALL.stream().allMatch(trial -> trial.forks() >= PACE.forks()));
    }

    @Test
    void thePassEndsWithin75Minutes() {
        Duration total = Plan.total(ALL, PACE.forks());
        assertTrue(total.compareTo(Duration.ofMinutes(75)) <= 0, total.toString());
    }

    @Test
    void bothSidesOfEachGoalAreMeasured() {
        for (Goal goal : Goals.LATENCY) {
            for (Goal.Side side : goal.beside() == null ? List.of(goal.ours()) : List.of(goal.ours(), goal.beside())) {
                String question =
                        side.question().replaceAll("-(echo-)?(max|mean|cores|p99(-9)?)$", ""); // stored with the median
                assertEquals(
                        1,
                        ALL.stream().filter(t -> is(t, question, side.peer())).count(),
                        goal.row());
            }
        }
    }

    private static boolean is(Trial trial, String question, String peer) {
        String slug = Question.of(trial.benchmark(), trial.params(), "").slug();
        return slug.matches(question) && trial.peer().equals(peer);
    }
}
