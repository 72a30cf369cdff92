package io.fibry.bench.report;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.profile.Profiler;
import org.openjdk.jmh.runner.BenchmarkListEntry;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;

/**
 * The durations of measurements, which are equal for all peers.
 *
 * @param forks the number of forks per peer and question
 * @param iterations the number of warm-up iterations, and of measured iterations, of a fork; 0 for the benchmark's own
 *     numbers. Benchmarks of single shots always use their own numbers, or a quarter of them if slow benchmarks are
 *     reduced
 * @param iteration the duration of an iteration
 * @param netSeconds the duration of the load of a server, and of the measurement of latencies
 * @param forkLimit the time limit of a fork
 * @param limit the time limit of the pass: afterwards no fork starts, and running forks are stopped
 * @param small whether slow benchmarks are reduced, see {@link io.fibry.bench.Slow}
 * @param inFork false only in tests, where JMH runs in this process
 */
record Pace(
        int forks,
        int iterations,
        Duration iteration,
        int netSeconds,
        Duration forkLimit,
        Duration limit,
        boolean small,
        boolean inFork) {

    /** The options of every measured JVM, of benchmarks and servers. */
    static final List<String> JVM_OPTIONS = List.of("-Xmx4g", "--sun-misc-unsafe-memory-access=allow");

    /**
     * A quick pass with one fork per peer. It takes less than ten minutes, including the start of Maven and the charts.
     */
    static Pace quick() {
        return new Pace(1, 1, Duration.ofMillis(400), 2, Duration.ofMinutes(1), Duration.ofSeconds(570), true, true);
    }

    /** A full pass with reliable figures. The slowest benchmark, a pool of 64 threads, takes 156 s. */
    static Pace full(int forks) {
        return new Pace(forks, 0, Duration.ofMillis(400), 5, Duration.ofMinutes(4), Duration.ofDays(7), false, true);
    }

    /** Returns this pace with the given duration of loads. */
    Pace loadedFor(int seconds) {
        return new Pace(forks, iterations, iteration, seconds, forkLimit, limit, small, inFork);
    }

    ChainedOptionsBuilder options(BenchmarkListEntry benchmark) {
        ChainedOptionsBuilder options = new OptionsBuilder()
                .forks(inFork ? 1 : 0)
                .warmupForks(0)
                .warmupIterations(warmups(benchmark))
                .measurementIterations(measurements(benchmark));
        if (benchmark.getMode() != Mode.SingleShotTime) {
            TimeValue time = TimeValue.milliseconds(iteration.toMillis());
            options.warmupTime(time).measurementTime(time);
        }
        sideResults().ifPresent(options::addProfiler);
        return inFork ? options.jvmArgs(JVM_OPTIONS.toArray(String[]::new)) : options;
    }

    /** Returns the total number of iterations of a fork. */
    int iterations(BenchmarkListEntry benchmark) {
        return warmups(benchmark) + measurements(benchmark);
    }

    private int warmups(BenchmarkListEntry benchmark) {
        return adapted(benchmark, benchmark.getWarmupIterations().orElse(0));
    }

    private int measurements(BenchmarkListEntry benchmark) {
        return adapted(benchmark, benchmark.getMeasurementIterations().orElse(1));
    }

    private int adapted(BenchmarkListEntry benchmark, int own) {
        if (benchmark.getMode() == Mode.SingleShotTime) {
            return small ? (own + 3) / 4 : own; // rounded up
        }
        return iterations > 0 ? iterations : own;
    }

    /** Returns the profiler for the secondary results of the benchmarks, if there is one. */
    private static Optional<Class<? extends Profiler>> sideResults() {
        try {
            return Optional.of(Class.forName("io.fibry.bench.SideResults").asSubclass(Profiler.class));
        } catch (ClassNotFoundException e) {
            return Optional.empty();
        }
    }

    /** Returns a description for the report. */
    @Override
    public String toString() {
        String times = iterations == 0 ? "iterations" : iterations + " + " + iterations + " iterations";
        return "up to %d forks, %s of %d ms; servers under load for %d s"
                .formatted(forks, times, iteration.toMillis(), netSeconds);
    }
}
