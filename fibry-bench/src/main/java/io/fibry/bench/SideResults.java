package io.fibry.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.profile.InternalProfiler;
import org.openjdk.jmh.results.AggregationPolicy;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.ScalarResult;

/**
 * Secondary results of benchmarks, in addition to the time. On Linux, {@code peakMemory} is the peak resident memory of
 * the process in MB, from {@code VmHWM} in {@code /proc/self/status}, and {@code wakeUps} is the number of
 * {@linkplain ContextSwitches context switches} per operation, without those of threads that have ended during the
 * iteration. The other results are recorded by the benchmarks. Enabled by {@code -prof io.fibry.bench.SideResults}.
 */
public final class SideResults implements InternalProfiler {

    private record Note(String name, double value, String unit) {}

    private static final ConcurrentLinkedQueue<Note> NOTES = new ConcurrentLinkedQueue<>();
    private static final Path STATUS = Path.of("/proc/self/status");

    private long switches;

    /** Adds a result to the current iteration. */
    static void note(String name, double value, String unit) {
        NOTES.add(new Note(name, value, unit));
    }

    @Override
    public String getDescription() {
        return "peak memory and wake-ups of the process, and the results that the benchmarks record";
    }

    @Override
    public void beforeIteration(BenchmarkParams benchmark, IterationParams iteration) {
        NOTES.clear();
        switches = ContextSwitches.voluntary();
    }

    @Override
    @SuppressWarnings("rawtypes") // as JMH declares it
    public Collection<? extends Result> afterIteration(
            BenchmarkParams benchmark, IterationParams iteration, IterationResult result) {
        List<ScalarResult> results = new ArrayList<>();
        for (Note note = NOTES.poll(); note != null; note = NOTES.poll()) {
            results.add(new ScalarResult(note.name(), note.value(), note.unit(), AggregationPolicy.AVG));
        }
        if (Files.exists(STATUS)) {
            results.add(new ScalarResult("peakMemory", peakMemory(), "MB", AggregationPolicy.MAX));
        }
        long operations = result.getMetadata().getAllOps();
        if (ContextSwitches.areKnown() && operations > 0) {
            double wakeUps = Math.max(0, ContextSwitches.voluntary() - switches) / (double) operations;
            results.add(new ScalarResult("wakeUps", wakeUps, "#/op", AggregationPolicy.AVG));
        }
        return results;
    }

    private static double peakMemory() {
        try {
            return Files.readAllLines(STATUS).stream()
                    .filter(line -> line.startsWith("VmHWM"))
                    .mapToDouble(line -> Double.parseDouble(line.replaceAll("[^0-9]", "")) / 1024)
                    .findFirst()
                    .orElseThrow();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
