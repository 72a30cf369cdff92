package io.fibry.bench.report;

import static io.fibry.bench.report.Fakes.FakeTrial;
import static io.fibry.bench.report.Fakes.figure;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The contents of the report: tables, goals, machine card, charts. */
class MarkdownTest {

    private static final List<Figure> RING = List.of(
            figure("a.RingBenchmark.hop", "PEKKO", "ns/op", 240.0, 300.0, 260.0),
            figure("a.RingBenchmark.hop", "FIBRY", "ns/op", 60.0, 100.0, 65.0),
            figure("a.RingBenchmark.hop", "JOX", "ns/op", 30.0, 30.0, 40.0));
    private static final Map<String, String> GAPS = Map.of("a.RingBenchmark.hop {peer=GO}", "go is missing");

    @TempDir
    private Path folder;

    @Test
    void theTableStartsWithTheBestAndEndsWithMissingResults() {
        assertEquals("""

            ## Ring of 1,000 actors, one hop

            ![chart](ring.png)

            | peer | median | lowest – highest | forks | cost, ours = 1 |
            |---|---|---|---|---|
            | Jox channels | 30.0 ns | 30.0 – 40.0 | 3 | 0.50 (0.30 – 0.62) |
            | **Fibry** | 65.0 ns | 60.0 – 100 | 3 | 1 |
            | Pekko | 260 ns | 240 – 300 | 3 | 4.00 (3.00 – 4.00) |
            | Go | – |  |  | go is missing |
            """, Markdown.section(Answers.of(RING, GAPS).get(0), "ring.png", null));
    }

    @Test
    void wakeUpsAreAColumnOfTheTable() {
        Question wakeUps = RING.get(0).question().about(Question.WAKE_UPS);
        var figures = new ArrayList<>(RING);
        figures.add(new Figure(wakeUps, "FIBRY", false, "#/op", List.of(0.002, 0.004, 0.001), List.of()));
        List<Answers> all = Answers.of(figures, GAPS);
        Answers time = all.get(0);
        String section = Markdown.section(time, "ring.png", Markdown.wakeUps(time, all));
        assertTrue(
                section.contains("| cost, ours = 1 | wake-ups per operation |\n|---|---|---|---|---|---|\n"), section);
        assertTrue(section.contains("| **Fibry** | 65.0 ns | 60.0 – 100 | 3 | 1 | 0.002 |"), section);
        assertTrue(section.contains("| Pekko | 260 ns | 240 – 300 | 3 | 4.00 (3.00 – 4.00) |  |"), section);
        assertFalse(all.get(1).isShown());
        assertNull(Markdown.wakeUps(all.get(1), all));
    }

    @Test
    void poolsAppearInTheSameTableAsOtherResults() {
        var figures = List.of(
                figure("a.BlockedBenchmark.sleep", "FIBRY", "ms/op", 400.0),
                figure("a.BlockedPoolsBenchmark.sleep", "POOL_64", "ms/op", 156000.0));
        var gaps = Map.of(
                "a.BlockedBenchmark.sleep {peer=POOL_64}", "see the other",
                "a.BlockedBenchmark.sleep {peer=POOL_200}", "see the other",
                "a.BlockedPoolsBenchmark.sleep {peer=POOL_64}", "failed: in fork 2");
        Answers merged = Answers.of(figures, gaps).get(0);
        assertEquals(
                List.of("FIBRY", "POOL_64"),
                merged.figures().stream().map(Figure::peer).toList());
        assertEquals(Map.of("POOL_64", "failed: in fork 2", "POOL_200", "see the other"), merged.gaps());
    }

    @Test
    void theOthersAreMeasuredByThisLibraryAndNotByItsDispatcher() {
        var figures = List.of(
                figure("a.BlockedBenchmark.sleep", "COROUTINES_FIBRY", "ms/op", 1.0),
                figure("a.BlockedBenchmark.sleep", "FIBRY_THREADS", "ms/op", 2.0),
                figure("a.BlockedBenchmark.sleep", "FIBRY", "ms/op", 3.0));
        Figure ours = Answers.of(figures, Map.of()).get(0).ours();
        assertEquals(figures.get(2), ours);
    }

    @Test
    void peakMemoryIsShownWhereHandlersBlock() {
        assertTrue(peakOf("a.BlockedBenchmark.sleep").isShown());
        assertFalse(peakOf("a.RingBenchmark.hop").isShown());
    }

    private static Answers peakOf(String benchmark) {
        return new Answers(Question.of(benchmark, Map.of(), "peakMemory"), List.of(), Map.of());
    }

    @Test
    void everyGoalIsSeen() {
        var hop = new Goal.Side("ringbenchmark-hop", "FIBRY");
        var pekko = new Goal.Side("ringbenchmark-hop", "PEKKO");
        var jox = new Goal.Side("ringbenchmark-hop", "JOX");
        var goals = List.of(
                new Goal("hop", hop, pekko, "1", "0.6"),
                new Goal("hop beside Jox", hop, jox, "1/2", ""),
                new Goal("hop in ns", hop, null, "70", "50"),
                new Goal("at least 60", hop, null, "60", "70", true),
                new Goal("at least 70", hop, null, "70", "", true),
                new Goal("heap", new Goal.Side("heap", "FIBRY"), null, "72", ""));
        assertEquals("""

            ## Goals

            A limit is a cost, or with ≥ a rate; with ×, it is relative to the cost of the peer. The column "measured" has the median
            of the ratios of forks, each to the adjacent fork of the peer, and determines the verdict. The ratio of the two medians
            may differ, since the speed of the machine changes between forks.

            | goal | must | aim | measured | ratio of the medians | |
            |---|---|---|---|---|---|
            | hop | ≤ 1 × | ≤ 0.6 × | 0.25 ×: 65.0 ns beside 260 ns | 0.25 × | aim met |
            | hop beside Jox | ≤ 1/2 × |  | 2.00 ×: 65.0 ns beside 30.0 ns | 2.17 × | **missed** |
            | hop in ns | ≤ 70 | ≤ 50 | 65.0 ns |  | met |
            | at least 60 | ≥ 60 | ≥ 70 | 65.0 ns |  | met |
            | at least 70 | ≥ 70 |  | 65.0 ns |  | **missed** |
            | heap | ≤ 72 |  |  |  | not measured |
            """, Markdown.goals(goals, Answers.of(RING, GAPS)));
    }

    @Test
    void aRestrictedRunHasOnlyTheGoalsItAskedFor() throws IOException {
        var hop = new Goal.Side("ring-hop", "FIBRY");
        var heap = new Goal.Side("heap", "FIBRY");
        var goals = List.of(new Goal("hop", hop, null, "70", ""), new Goal("heap", heap, null, "72", ""));
        for (boolean restricted : List.of(true, false)) {
            Map<String, String> card = restricted ? Map.of(RunFolder.ONLY, "Ring|Load") : Map.of();
            RunFolder run = RunFolder.begin(folder.resolve("restricted" + restricted), card);
            run.add(FakeTrial.of("FIBRY", List.of()), Fakes.result("some.Ring.hop", Map.of("peer", "FIBRY"), 60));
            Markdown.write(run, goals);
            String page = Files.readString(run.path().resolve("report.md"));
            assertTrue(page.contains("| hop | ≤ 70 |  | 60.0 ns |  | met |"), page);
            assertEquals(!restricted, page.contains("| heap | ≤ 72 |"), page);
            assertEquals(restricted, page.contains("| only | Ring\\|Load |"), page);
        }
    }

    @Test
    void toRefuseIsNeitherBetterNorWorse() {
        var refused = Question.of("a.OverloadBenchmark.load", Map.of(), "refused");
        var figures = List.of(
                new Figure(refused, "FIBRY_BOUNDED", false, "%", List.of(49.0), List.of()),
                new Figure(refused, "FIBRY", false, "%", List.of(0.0), List.of()));
        assertEquals("""

            ## Overload, load: refused at once

            ![chart](refused.png)

            | peer | median | lowest – highest | forks |
            |---|---|---|---|
            | **Fibry, mailboxes for 16** | 49.0 % | 49.0 – 49.0 | 1 |
            | **Fibry** | 0 % | 0 – 0 | 1 |
            """, Markdown.section(Answers.of(figures, Map.of()).get(0), "refused.png", null));
        List<String> labels = Chart.bars(Answers.of(figures, Map.of()).get(0)).stream()
                .map(Chart.Bar::label)
                .toList();
        assertEquals(List.of("49.0 %", "0 %"), labels);
    }

    @Test
    void underOverloadOursIsTheOneWithALimit() {
        var figures = List.of(
                figure("a.OverloadBenchmark.load", "FIBRY", "ms/op", 6.0),
                figure("a.OverloadBenchmark.load", "FIBRY_BOUNDED", "ms/op", 3.0));
        assertEquals(figures.get(1), Answers.of(figures, Map.of()).get(0).ours());
    }

    @Test
    void longReasonsHaveTwoLines() {
        String word = "123456789 ";
        assertEquals(List.of("It has no rings."), Chart.lines("It has no rings."));
        assertEquals(
                List.of(word.repeat(8).strip(), "123456789"),
                Chart.lines(word.repeat(9).strip()));
        List<String> cut = Chart.lines(word.repeat(30).strip());
        assertEquals(2, cut.size());
        assertTrue(cut.get(1).length() == 80 && cut.get(1).endsWith("…"), cut.get(1));
        assertEquals(2, Chart.lines("x".repeat(100)).size());
    }

    @Test
    void theVersionsOfTheOthersAreKnown() throws IOException, InterruptedException {
        String peers = Versions.peers();
        assertTrue(
                peers.matches(
                        "Fibry [\\d.]+, Pekko \\d[\\w.-]+, Kotlin coroutines \\d[\\w.-]+, Vert\\.x \\d[\\w.-]+, Jox"
                                + " \\d[\\w.-]+"),
                peers);
        String stores = Versions.stores();
        assertTrue(stores.matches("Pekko Persistence JDBC \\d[\\w.-]+, (\\w[\\w ]+ \\d[\\w.-]+(, )?){4}"), stores);
        assertEquals("1.24.4", Versions.version(List.of("echo", "go version go1.24.4 linux/amd64")));
        assertEquals("is missing", Versions.version(List.of("no-such-program-anywhere")));
    }

    @Test
    void theMachineCardContainsTheRelevantProperties() throws IOException, InterruptedException {
        Map<String, String> card = MachineCard.of(Pace.quick());
        assertEquals(
                List.of(
                        "CPU",
                        "cores",
                        "memory",
                        "kernel",
                        "JDK",
                        "JVM options of every fork",
                        "peers",
                        "programs",
                        "pace",
                        "commit",
                        "date"),
                List.copyOf(card.keySet()));
        assertTrue(card.keySet().containsAll(MachineCard.MUST_STAY));
        assertFalse(card.containsValue(""));
        assertEquals("-Xmx4g --sun-misc-unsafe-memory-access=allow", card.get("JVM options of every fork"));
        assertTrue(MachineCard.markdown(card)
                .contains("| cores | " + Runtime.getRuntime().availableProcessors() + " |"));
    }

    @Test
    void aChartNeedsNoDisplayAndShowsOursInItsColour() throws IOException {
        System.setProperty("java.awt.headless", "true");
        Path png = folder.resolve("ring.png");
        Chart.write(Answers.of(RING, GAPS).get(0), png);
        BufferedImage image = ImageIO.read(png.toFile());
        assertEquals(1760, image.getWidth());
        Set<Integer> colours = new HashSet<>();
        for (int y = 0; y < image.getHeight(); y++) {
            for (int x = 0; x < image.getWidth(); x++) {
                colours.add(image.getRGB(x, y) & 0xffffff);
            }
        }
        assertTrue(colours.containsAll(Set.of(0x0969da, 0xb8c0ca)), "ours and the others");
    }

    @Test
    void theBarsAreSortedAndLabeled() {
        List<String> labels = Chart.bars(Answers.of(RING, GAPS).get(0)).stream()
                .map(Chart.Bar::label)
                .toList();
        assertEquals(List.of("30.0 ns  (0.50 ×)", "65.0 ns", "260 ns  (4.00 ×)", "go is missing"), labels);
    }

    @Test
    void unitsAreReadable() {
        assertEquals("1.25 ms", Unit.of("us/op", 1250).text(1250));
        assertEquals("61,796 /s", Unit.of("ops/s", 61796).text(61796));
        assertEquals("40.0 B", Unit.of("B", 40).text(40));
        assertEquals("1.60 GB", Unit.of("bytes", 1.6e9).text(1.6e9));
    }
}
