package io.fibry.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
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
 * the process in MB, from {@code VmHWM} in {@code /proc/self/status}, and {@code wakeUps} is the number of voluntary
 * context switches of all threads per operation, from {@code /proc/self/task}: each blocked thread has to be woken. It
 * excludes threads that have ended during the iteration. The other results are recorded by the benchmarks. Enabled by
 * {@code -prof io.fibry.bench.SideResults}.
 */
public final class SideResults implements InternalProfiler {

    private record Note(String name, double value, String unit) {}

    private static final ConcurrentLinkedQueue<Note> NOTES = new ConcurrentLinkedQueue<>();
    private static final Path STATUS = Path.of("/proc/self/status");
    private static final Path THREADS = Path.of("/proc/self/task");

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
        switches = Files.exists(THREADS) ? switches() : 0;
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
        if (Files.exists(THREADS) && operations > 0) {
            double wakeUps = Math.max(0, switches() - switches) / (double) operations;
            results.add(new ScalarResult("wakeUps", wakeUps, "#/op", AggregationPolicy.AVG));
        }
        return results;
    }

    private static double peakMemory() {
        try {
            return number(STATUS, "VmHWM") / 1024.0;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static long switches() {
        long sum = 0;
        try (DirectoryStream<Path> threads = Files.newDirectoryStream(THREADS)) {
            for (Path thread : threads) {
                sum += switches(thread);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return sum;
    }

    private static long switches(Path thread) {
        try {
            return number(thread.resolve("status"), "voluntary_ctxt_switches");
        } catch (IOException e) {
            return 0; // the thread has ended
        }
    }

    private static long number(Path file, String name) throws IOException {
        return Files.readAllLines(file).stream()
                .filter(line -> line.startsWith(name))
                .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")))
                .findFirst()
                .orElseThrow(() -> new IOException(file + " has no " + name));
    }
}
