package io.fibry.bench.report;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import io.fibry.bench.Slow;
import io.fibry.bench.latency.LatencyPeer;
import io.fibry.bench.net.Programs;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.results.format.ResultFormatFactory;
import org.openjdk.jmh.results.format.ResultFormatType;
import org.openjdk.jmh.runner.BenchmarkList;
import org.openjdk.jmh.runner.BenchmarkListEntry;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.format.OutputFormat;
import org.openjdk.jmh.runner.format.OutputFormatFactory;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * A JMH benchmark with one peer. A fork is one run of JMH with one fork.
 *
 * @param entry JMH's description of the benchmark
 * @param params all parameters
 * @param pace the durations of the measurement
 * @param log the destination of JMH's output
 */
record JmhTrial(BenchmarkListEntry entry, SortedMap<String, String> params, Pace pace, PrintStream log)
        implements Trial {

    static final String FILE = "jmh.json";

    /** Returns the matching benchmarks of the class path with all their parameters, with adjacent peers. */
    static List<Trial> all(Pattern only, Pace pace, PrintStream log) {
        var trials = new ArrayList<Trial>();
        OutputFormat quiet = OutputFormatFactory.createFormatInstance(log, VerboseMode.SILENT);
        var seen = new HashSet<String>();
        for (BenchmarkListEntry entry : BenchmarkList.defaultList().getAll(quiet, List.of())) {
            String name = entry.getUsername();
            if (only.matcher(name).find() && seen.add(name)) { // there is an entry for each mode
                for (SortedMap<String, String> chosen : choices(values(entry, pace))) {
                    trials.add(new JmhTrial(entry, chosen, pace, log));
                }
            }
        }
        return trials;
    }

    private static Map<String, String[]> values(BenchmarkListEntry entry, Pace pace) {
        var values = new TreeMap<>(entry.getParams().orElse(Map.of()));
        Slow slow = type(entry).getAnnotation(Slow.class);
        for (String smaller : slow != null && pace.small() ? slow.quick() : new String[0]) {
            String[] parts = smaller.split("=", 2);
            values.put(parts[0], parts[1].split(",", -1));
        }
        return values;
    }

    /** Returns all combinations of the parameters; the peer varies fastest. */
    private static List<SortedMap<String, String>> choices(Map<String, String[]> params) {
        List<SortedMap<String, String>> choices = List.of(new TreeMap<>());
        var names = new ArrayList<>(params.keySet());
        if (names.remove(PEER)) {
            names.add(PEER);
        }
        for (String name : names) {
            var more = new ArrayList<SortedMap<String, String>>();
            for (SortedMap<String, String> choice : choices) {
                for (String value : params.getOrDefault(name, new String[0])) {
                    var with = new TreeMap<>(choice);
                    with.put(name, value);
                    more.add(with);
                }
            }
            choices = more;
        }
        return choices;
    }

    private static Class<?> type(BenchmarkListEntry entry) {
        try {
            return Class.forName(entry.getUserClassQName());
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException("JMH lists a class that is not there: " + entry.getUserClassQName(), e);
        }
    }

    @Override
    public String file() {
        return FILE;
    }

    @Override
    public String benchmark() {
        return entry.getUsername();
    }

    @Override
    public int forks() {
        return Plan.forks(this);
    }

    @Override
    public @Nullable Duration expected() {
        return Plan.fork(this);
    }

    @Override
    public double share() {
        return pace.iterations(entry) / (double) Pace.full(1).iterations(entry) * size();
    }

    /** Returns the size of the work relative to a full pass. */
    private double size() {
        double size = 1;
        Map<String, String[]> full = entry.getParams().orElse(Map.of());
        for (var param : params.entrySet()) {
            List<String> usual = List.of(full.getOrDefault(param.getKey(), new String[] {param.getValue()}));
            if (!usual.contains(param.getValue())) {
                size = Math.min(size, Double.parseDouble(param.getValue()) / Double.parseDouble(usual.getLast()));
            }
        }
        return size;
    }

    @Override
    public @Nullable String cannot() {
        String cannot = missing() == null ? cannotEver() : missing();
        return cannot != null || !pace.small() ? cannot : Plan.leftToTheFullPass(this);
    }

    @Override
    public @Nullable String missing() {
        return peer().equals(LatencyPeer.GO.name()) ? Programs.missingGo() : null;
    }

    /**
     * Calls the public method {@code cannot} of the peer's enum, if it exists, with the simple name of the benchmark's
     * class.
     */
    private @Nullable String cannotEver() {
        Class<?> type = type(entry);
        try {
            Class<?> peers = type.getField(PEER).getType();
            for (Object constant : peers.getEnumConstants() == null ? new Object[0] : peers.getEnumConstants()) {
                if (((Enum<?>) constant).name().equals(peer())) {
                    return (String) peers.getMethod("cannot", String.class).invoke(constant, type.getSimpleName());
                }
            }
            return null;
        } catch (NoSuchFieldException | NoSuchMethodException e) {
            return null; // no peers, or peers without restrictions
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("cannot ask " + peer() + " of " + benchmark(), e);
        }
    }

    @Override
    public JsonNode fork() throws IOException {
        var options = pace.options(entry)
                .include("^" + Pattern.quote(benchmark()) + "$")
                .shouldFailOnError(true);
        params.forEach((name, value) -> options.param(name, value));
        try {
            OutputFormat output = OutputFormatFactory.createFormatInstance(log, VerboseMode.NORMAL);
            return json(new Runner(options.build(), output).run());
        } catch (RunnerException e) {
            throw new IOException(reason(e), e);
        }
    }

    private static JsonNode json(Collection<RunResult> results) throws IOException {
        var bytes = new ByteArrayOutputStream();
        try (var out = new PrintStream(bytes, false, UTF_8)) {
            ResultFormatFactory.getInstance(ResultFormatType.JSON, out).writeOut(results);
        }
        return RawResults.JSON.readTree(bytes.toByteArray());
    }

    /** Returns the error of the benchmark. JMH wraps the errors, one for each thread. */
    private static String reason(Throwable error) {
        Throwable cause = error;
        while (cause.getCause() != null || cause.getSuppressed().length > 0) {
            cause = cause.getCause() != null ? cause.getCause() : cause.getSuppressed()[0];
        }
        String message = cause.getMessage();
        return cause.getClass().getSimpleName()
                + (message == null
                        ? ""
                        : ": " + message.strip().lines().findFirst().orElse(""));
    }
}
