package io.fibry;

import java.time.Duration;

/** Limits the log lines about the failures of an actor to one a second, and counts the other failures. Consumer only. */
final class FailureLog {

    private static final long PERIOD_NANOS = Duration.ofSeconds(1).toNanos();

    private boolean toldOne;
    private long lastTold;
    private long untold;

    /** Whether a failure at this time is logged. If not, it is counted. */
    boolean mayTell(long nanoTime) {
        boolean may = !toldOne || nanoTime - lastTold >= PERIOD_NANOS;
        if (may) {
            toldOne = true;
            lastTold = nanoTime;
        } else {
            untold++;
        }
        return may;
    }

    /** How many failures were not logged since this was last called. */
    long takeUntold() {
        long count = untold;
        untold = 0;
        return count;
    }
}
