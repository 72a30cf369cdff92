package io.fibry.bench.savina;

import io.fibry.bench.ContextSwitches;
import java.util.Arrays;
import java.util.Locale;

/**
 * Runs a workload of the suite with one peer, and prints the time of each iteration in milliseconds, their median, and
 * the mean number of {@linkplain ContextSwitches wake-ups}. The report runs it in a separate JVM for each workload,
 * peer and fork. The warm-up takes at least ten iterations and three seconds: until then, the compilers of the JVM use
 * the processors, too.
 *
 * <p>Run it: {@code mvn -q -pl fibry-bench -am compile exec:exec -Dbench=savina.SavinaMain -Dargs="big FIBRY"}. Two
 * optional arguments are the numbers of warm-up iterations and of measured iterations.
 */
public final class SavinaMain {

    private static final int WARMUPS = 10;
    private static final long WARMUP_NANOS = 3_000_000_000L;
    private static final int ITERATIONS = 11;

    private SavinaMain() {}

    /** The arguments are the workload, the peer, and optionally the numbers of warm-up and measured iterations. */
    public static void main(String[] args) throws InterruptedException {
        Workload workload = Savina.of(args[0]).full();
        int warmups = args.length > 2 ? Integer.parseInt(args[2]) : WARMUPS;
        long warmupNanos = args.length > 2 ? 0 : WARMUP_NANOS;
        int iterations = args.length > 3 ? Integer.parseInt(args[3]) : ITERATIONS;
        Object expected = workload.expected();
        var times = new double[iterations];
        try (World world = Worlds.valueOf(args[1]).open()) {
            long begin = System.nanoTime();
            for (int i = 0; i < warmups || System.nanoTime() - begin < warmupNanos; i++) {
                SavinaRun.once(world, workload, expected);
            }
            long switches = ContextSwitches.voluntary();
            for (int i = 0; i < iterations; i++) {
                times[i] = SavinaRun.once(world, workload, expected) / 1e6;
                System.out.printf(Locale.ROOT, "%.3f ms%n", times[i]);
            }
            long wakeUps = Math.max(0, ContextSwitches.voluntary() - switches) / iterations;
            Arrays.sort(times);
            System.out.printf(Locale.ROOT, "%d wake-ups%nmedian %.3f ms%n", wakeUps, times[iterations / 2]);
        }
        System.exit(0); // a peer that does not end must not block the report
    }
}
