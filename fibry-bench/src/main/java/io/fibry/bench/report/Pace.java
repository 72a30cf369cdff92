package io.fibry.bench.report;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.openjdk.jmh.profile.Profiler;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;

/**
 * How long everything is measured, the same for all peers.
 *
 * @param forks how many times each peer answers each question
 * @param iterations how many times a fork warms up, and how many times it measures; 0: as the benchmark says. Benchmarks that
 *     measure single shots say it themselves
 * @param iteration how long each of these takes
 * @param netSeconds how long a server is loaded
 * @param forkLimit a fork that takes longer is cut off
 * @param limit no fork starts when this time is over
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

    /** For a look: a fork for each peer, in less than ten minutes. */
    static Pace quick() {
        return new Pace(1, 2, Duration.ofMillis(150), 2, Duration.ofMinutes(1), Duration.ofSeconds(555), true, true);
    }

    /** For figures to believe. The slowest work, a pool of 64 threads, takes 156 s. */
    static Pace full(int forks) {
        return new Pace(forks, 0, Duration.ofMillis(400), 5, Duration.ofMinutes(4), Duration.ofDays(7), false, true);
    }

    ChainedOptionsBuilder options(boolean singleShots) {
        ChainedOptionsBuilder options =
                new OptionsBuilder().forks(inFork ? 1 : 0).warmupForks(0);
        if (!singleShots) {
            TimeValue time = TimeValue.milliseconds(iteration.toMillis());
            if (iterations > 0) {
                options.warmupIterations(iterations).measurementIterations(iterations);
            }
            options.warmupTime(time).measurementTime(time);
        }
        sideResults().ifPresent(options::addProfiler);
        return inFork ? options.jvmArgs(JVM_OPTIONS.toArray(String[]::new)) : options;
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
