package io.fibry.bench.report;

import static io.fibry.bench.report.Fakes.figure;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Significant and insignificant changes. */
class CompareTest {

    private static final Double[] BEFORE = {100.0, 103.0, 98.0, 101.0, 99.0};
    private static final Double[] SAME = {102.0, 97.0, 100.5, 99.5, 104.0};
    private static final Double[] SLOWER = {120.0, 121.0, 119.0, 125.0, 118.0};

    private final ByteArrayOutputStream console = new ByteArrayOutputStream();

    @Test
    void noiseIsNoChange() {
        assertFalse(compare(List.of(ring("ns/op", BEFORE)), List.of(ring("ns/op", SAME))));
        assertTrue(text().startsWith("SAME"), text());
    }

    @Test
    void moreTimeIsSlowerAndLessIsFaster() {
        assertTrue(compare(List.of(ring("ns/op", BEFORE)), List.of(ring("ns/op", SLOWER))));
        assertTrue(text().startsWith("WORSE        1.202 (1.146 to 1.276)  Ring.hop, FIBRY"), text());
        console.reset();
        assertFalse(compare(List.of(ring("ns/op", SLOWER)), List.of(ring("ns/op", BEFORE))));
        assertTrue(text().startsWith("BETTER"), text());
    }

    @Test
    void moreOperationsAreFaster() {
        assertFalse(compare(List.of(ring("ops/s", BEFORE)), List.of(ring("ops/s", SLOWER))));
        assertTrue(text().startsWith("BETTER"), text());
    }

    @Test
    void unitsOfTheSameKindAreConverted() {
        Double[] micros = {0.100, 0.103, 0.098, 0.101, 0.099};
        assertFalse(compare(List.of(ring("us/op", micros)), List.of(ring("ns/op", SAME))));
        assertTrue(text().startsWith("SAME         1.0"), text());
    }

    @Test
    void unitsOfDifferentKindsAreNotCompared() {
        assertFalse(compare(List.of(ring("B", BEFORE)), List.of(ring("ns/op", SLOWER))));
        assertTrue(text().startsWith("UNKNOWN"), text());
    }

    @Test
    void fewForksGiveNoVerdict() {
        assertFalse(compare(List.of(ring("ns/op", 1.0, 1.1)), List.of(ring("ns/op", 9.0, 9.1))));
        assertTrue(text().startsWith("TOO_FEW      8.636"), text());
        assertTrue(text().contains("too few forks"), text());
    }

    @Test
    void failuresWhereThereWereNoneAreWorseHoweverFewForksThereAre() {
        assertTrue(compare(List.of(failures(0.0, 0.0)), List.of(failures(0.0, 12.0))));
        assertTrue(text().startsWith("WORSE        (from 0 to 0 – 12.0)  Load.http, failedRequests, FIBRY"), text());
        console.reset();
        assertFalse(compare(List.of(failures(0.0, 12.0)), List.of(failures(0.0, 0.0))));
        assertTrue(text().startsWith("BETTER"), text());
        console.reset();
        assertFalse(compare(List.of(failures(0.0, 0.0)), List.of(failures(0.0, 0.0))));
        assertTrue(text().startsWith("SAME"), text());
        console.reset();
        assertFalse(compare(List.of(failures(0.0, 0.0)), List.of(failures(0.0))), "another number of forks");
        assertTrue(text().startsWith("SAME"), text());
    }

    @Test
    void failuresInSomeForksAreComparedAsOtherFigures() {
        assertTrue(compare(List.of(failures(0.0, 1.0, 0.0, 2.0, 1.0)), List.of(failures(7.0, 8.0, 9.0, 7.0, 8.0))));
        assertTrue(text().startsWith("WORSE        (from 0 – 2.00 to 7.00 – 9.00)"), text());
        console.reset();
        assertFalse(compare(List.of(failures(0.0, 1.0, 0.0, 2.0, 1.0)), List.of(failures(1.0, 0.0, 2.0, 0.0, 0.0))));
        assertTrue(text().startsWith("SAME"), text());
    }

    @Test
    void toRefuseMoreIsNeitherBetterNorWorse() {
        var before = new Figure(
                Question.of("a.Load.http", Map.of(), "refused"), "FIBRY", false, "%", List.of(0.0), List.of());
        var after = new Figure(before.question(), "FIBRY", false, "%", List.of(49.0), List.of());
        assertFalse(compare(List.of(before), List.of(after)));
        assertTrue(text().startsWith("MOVED        (from 0 to 49.0)"), text());
    }

    @Test
    void theSummaryContainsTheNumberOfComparedRows() {
        compare(
                List.of(ring("ns/op", BEFORE), figure("a.Few.x", "FIBRY", "ns/op", 1.0), failures(0.0)),
                List.of(ring("ns/op", SAME), figure("a.Few.x", "FIBRY", "ns/op", 2.0), failures(1.0)));
        String end = "2 rows could be judged; 1 had too few forks, 0 have units that cannot be compared.";
        assertEquals(end, text().strip().lines().toList().getLast());
    }

    private static Figure failures(Double... forks) {
        var question = Question.of("a.Load.http", Map.of(), "failedRequests");
        return new Figure(question, "FIBRY", false, "requests", List.of(forks), List.of());
    }

    @Test
    void resultsOfOneFileOnlyAreListed() {
        compare(List.of(figure("a.Old.x", "FIBRY", "ns/op", 1.0)), List.of(figure("a.New.x", "FIBRY", "ns/op", 1.0)));
        assertTrue(text().contains("only in the first: Old.x, FIBRY"), text());
        assertTrue(text().contains("only in the second: New.x, FIBRY"), text());
    }

    @Test
    void aSlowerPeerIsTheMachineAndNotOurs() {
        var before = List.of(figure("a.Ring.hop", "PEKKO", "ns/op", BEFORE));
        var after = List.of(figure("a.Ring.hop", "PEKKO", "ns/op", SLOWER));
        assertFalse(compare(before, after));
        assertTrue(text().contains("WORSE"), text());
        assertTrue(text().contains("are 1.20 times those before (median): the machine."), text());
    }

    /**
     * Against the tables of U in Hollander, Wolfe and Chicken: for 5 and 5 values, P(U <= 2) = 4/252, P(U <= 3) =
     * 7/252.
     */
    @Test
    void theConfidenceIntervalMatchesTheTables() {
        List<Double> ones = List.of(1.0, 1.0, 1.0, 1.0, 1.0);
        List<Double> primes = List.of(2.0, 3.0, 5.0, 7.0, 11.0);
        assertEquals(new Statistics.Ratio(5, 2, 11), Statistics.ratio(ones, primes, 0.99));
        List<Double> distinct = List.of(1.0, 10.0, 100.0, 1000.0, 10000.0);
        Statistics.Ratio ratio = Statistics.ratio(distinct, primes, 0.95);
        assertEquals(0.0005, ratio.low(), 1e-12); // the third smallest of 25 ratios
        assertEquals(5, ratio.high(), 1e-12); // the third largest
    }

    private static Figure ring(String unit, Double... forks) {
        return figure("a.Ring.hop", "FIBRY", unit, forks);
    }

    private boolean compare(List<Figure> before, List<Figure> after) {
        return Compare.compare(before, after, new PrintStream(console, true, StandardCharsets.UTF_8));
    }

    private String text() {
        return console.toString(StandardCharsets.UTF_8);
    }
}
