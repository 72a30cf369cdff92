package io.fibry.bench.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.bench.report.Fakes.FakeTrial;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.PrimitiveIterator;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Forks are compared only if a cache line took about the same time between the processors. */
class CacheLineTest {

    @TempDir
    private Path folder;

    @Test
    void aRoundTripTakesTime() {
        double nanos = CacheLine.roundTrip();
        boolean alone = Runtime.getRuntime().availableProcessors() < 2;
        assertTrue(alone ? Double.isNaN(nanos) : nanos > 0, "" + nanos);
    }

    @Test
    void aTimeThatChangedDuringAForkIsUnknown() {
        assertEquals(60, CacheLine.during(50, 70));
        assertEquals(Double.NaN, CacheLine.during(50, 330));
        assertEquals(Double.NaN, CacheLine.during(330, 50));
        assertEquals(Double.NaN, CacheLine.during(Double.NaN, Double.NaN));
        assertFalse(CacheLine.areComparable(Double.NaN, 50));
        assertFalse(CacheLine.areComparable(50, Double.NaN));
    }

    @Test
    void theTimesOfTheForksAreKept() throws IOException, InterruptedException {
        // before and after A, B, then B, A; the last fork sees a change
        run(50, 52, 330, 334, 55, 53, 50, 330);
        assertEquals(List.of(51.0, Double.NaN), figure("A").roundTrips());
        assertEquals(List.of(332.0, 54.0), figure("B").roundTrips());
        assertEquals(
                "51 – 332 ns", RunFolder.open(folder).card().get("round trip of a cache line between the processors"));
    }

    @Test
    void pairsWithDifferentTimesAreLeftOut() {
        Figure ours = figure(List.of(10.0, 30.0, 11.0), List.of(50.0, 330.0, 52.0));
        Figure other = figure(List.of(20.0, 20.0, 44.0), List.of(55.0, 51.0, 53.0));
        assertEquals(List.of(2.0, 4.0), other.costsInUnitsOf(ours));
    }

    @Test
    void allPairsAreUsedIfFewAreComparable() {
        Figure ours = figure(List.of(10.0, 30.0), List.of(50.0, 330.0));
        assertEquals(
                List.of(2.0, 1.0),
                figure(List.of(20.0, 30.0), List.of(50.0, 50.0)).costsInUnitsOf(ours));
        assertEquals(List.of(2.0, 1.0), figure(List.of(20.0, 30.0), List.of()).costsInUnitsOf(ours));
    }

    private void run(double... roundTrips) throws IOException, InterruptedException {
        PrimitiveIterator.OfDouble next = DoubleStream.of(roundTrips).iterator();
        RunFolder run = RunFolder.begin(folder, Map.of());
        List<String> order = Fakes.order();
        new Rounds(
                        List.of(FakeTrial.of("A", order), FakeTrial.of("B", order)),
                        Pace.full(2),
                        run,
                        new PrintStream(PrintStream.nullOutputStream()),
                        ClockWatch::start,
                        next::nextDouble)
                .run();
        assertFalse(next.hasNext());
        run.finish();
    }

    /** Returns the figure of a peer, from the files of the run. */
    private Figure figure(String peer) throws IOException {
        return RunFolder.open(folder).figures().stream()
                .filter(figure -> figure.peer().equals(peer))
                .findFirst()
                .orElseThrow();
    }

    private static Figure figure(List<Double> forks, List<Double> roundTrips) {
        return new Figure(Question.of("some.Ring.hop", Map.of(), ""), "A", false, "ns/op", forks, roundTrips);
    }
}
