package io.fibry.bench.savina;

import java.util.Arrays;
import java.util.Locale;

/**
 * A workload of the suite with one peer: prints the time of each iteration in milliseconds, and then their median. The report
 * runs it in a JVM for each workload, peer and fork.
 *
 * <p>Run it: {@code mvn -q -pl fibry-bench -am compile exec:exec -Dbench=savina.SavinaMain -Dargs="big FIBRY"}. Two more
 * arguments say how many iterations warm up, and how many are measured.
 */
public final class SavinaMain {

    private static final int WARMUPS = 10;
    private static final int ITERATIONS = 11;

    private SavinaMain() {}

    /** Workload, peer, and as one wishes the number of iterations before and in the measurement. */
    public static void main(String[] args) throws InterruptedException {
        Workload workload = Savina.of(args[0]).full();
        int warmups = args.length > 2 ? Integer.parseInt(args[2]) : WARMUPS;
        int iterations = args.length > 3 ? Integer.parseInt(args[3]) : ITERATIONS;
        Object expected = workload.expected();
        var times = new double[iterations];
        try (World world = Worlds.valueOf(args[1]).open()) {
            for (int i = -warmups; i < iterations; i++) {
                double millis = SavinaRun.once(world, workload, expected) / 1e6;
                if (i >= 0) {
                    times[i] = millis;
                    System.out.printf(Locale.ROOT, "%.3f ms%n", millis);
                }
            }
            Arrays.sort(times);
            System.out.printf(Locale.ROOT, "median %.3f ms%n", times[iterations / 2]);
        }
        System.exit(0); // a peer that does not end must not keep the report from its next run
    }
}
