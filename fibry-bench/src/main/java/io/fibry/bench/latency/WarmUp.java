package io.fibry.bench.latency;

import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * Repeats a load until the compilers of the JVM are almost idle. A compiler takes a processor from the threads that are
 * measured, and a method that is compiled again runs slowly until then. Both change the percentiles: a compilation of
 * 50 ms is one percent of five seconds.
 */
final class WarmUp {

    /** A round is quiet if the compilers use less than this share of its time. */
    private static final double QUIET_SHARE = 0.002;

    /** The number of consecutive quiet rounds that end the warm-up. A single one is often followed by a compilation. */
    private static final int QUIET_ROUNDS = 2;

    /** The maximum number of rounds, for a load with which the compilers never become idle. */
    static final int MAX_ROUNDS = 10;

    private WarmUp() {}

    /** @param round the duration of the load */
    static void repeat(Duration round, Runnable load) {
        var compilers = ManagementFactory.getCompilationMXBean();
        repeat(round, load, compilers == null ? () -> 0 : compilers::getTotalCompilationTime);
    }

    /** @param compilerMillis returns the time that the compilers have used so far */
    static void repeat(Duration round, Runnable load, LongSupplier compilerMillis) {
        int quiet = 0;
        for (int i = 0; i < MAX_ROUNDS && quiet < QUIET_ROUNDS; i++) {
            long before = compilerMillis.getAsLong();
            load.run();
            long used = compilerMillis.getAsLong() - before;
            quiet = used < QUIET_SHARE * round.toMillis() ? quiet + 1 : 0;
        }
    }
}
