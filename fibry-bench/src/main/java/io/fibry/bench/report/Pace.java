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
 * How long everything is measured, the same for all peers.
 *
 * @param forks how many times each peer answers each question
 * @param iterations how many times a fork warms up, and how many times it measures; 0: as the benchmark says. Benchmarks that
 *     measure single shots say it themselves, and if slow benchmarks do less, a quarter of that is done
 * @param iteration how long each of these takes
 * @param netSeconds how long a server is loaded, and how long latencies are measured
 * @param forkLimit a fork that takes longer is cut off
 * @param limit the time of the pass: no fork starts, and none goes on, when it is over
 * @param small whether slow benchmarks do less, see {@link io.fibry.bench.Slow}
 * @param inFork false only for tests: JMH then runs in this process
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

    /** The options of every JVM that is measured: those of the benchmarks and those of the servers. */
    static final List<String> JVM_OPTIONS = List.of("-Xmx4g", "--sun-misc-unsafe-memory-access=allow");

    /** For a look: a fork for each peer. With the start of Maven and the charts at the end it takes less than ten minutes. */
    static Pace quick() {
        return new Pace(1, 1, Duration.ofMillis(400), 2, Duration.ofMinutes(1), Duration.ofSeconds(570), true, true);
    }

    /** For figures to believe. The slowest work, a pool of 64 threads, takes 156 s. */
    static Pace full(int forks) {
        return new Pace(forks, 0, Duration.ofMillis(400), 5, Duration.ofMinutes(4), Duration.ofDays(7), false, true);
    }

    /** The same, but servers and actors are under load for so long. */
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

    /** How many iterations a fork of the benchmark has in all. */
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

    /** The profiler with which the benchmarks tell what they find out beside the time, if they have one. */
    private static Optional<Class<? extends Profiler>> sideResults() {
        try {
            return Optional.of(Class.forName("io.fibry.bench.SideResults").asSubclass(Profiler.class));
        } catch (ClassNotFoundException e) {
            return Optional.empty();
        }
    }

    /** For people. */
    @Override
    public String toString() {
        String times = iterations == 0 ? "iterations" : iterations + " + " + iterations + " iterations";
        return "up to %d forks, %s of %d ms; servers under load for %d s"
                .formatted(forks, times, iteration.toMillis(), netSeconds);
    }
}
