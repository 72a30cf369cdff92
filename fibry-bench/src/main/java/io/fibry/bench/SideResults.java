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
 * Secondary results of benchmarks, in addition to the time: {@code peakMemory} in MB, the peak resident memory of the
 * process, from {@code VmHWM} in {@code /proc/self/status}, on Linux only; and the results that the benchmark has
 * recorded. Enabled by {@code -prof io.fibry.bench.SideResults}.
 */
public final class SideResults implements InternalProfiler {

    private record Note(String name, double value, String unit) {}

    private static final ConcurrentLinkedQueue<Note> NOTES = new ConcurrentLinkedQueue<>();
    private static final Path STATUS = Path.of("/proc/self/status");

    /** Adds a result to the current iteration. */
    static void note(String name, double value, String unit) {
        NOTES.add(new Note(name, value, unit));
    }

    @Override
    public String getDescription() {
        return "peak memory of the process, and what the benchmarks note";
    }

    @Override
    public void beforeIteration(BenchmarkParams benchmark, IterationParams iteration) {
        NOTES.clear();
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
