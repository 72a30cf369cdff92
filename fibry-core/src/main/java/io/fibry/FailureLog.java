package io.fibry;

import java.time.Duration;

/** Decides which failures of an actor get a line in the log: one a second. The others are counted. By the actor's consumer. */
final class FailureLog {

    private static final long PERIOD_NANOS = Duration.ofSeconds(1).toNanos();

    private boolean toldOne;
    private long lastTold;
    private long untold;

    /** Whether a failure at this time gets a line; if not, it is counted. */
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

    /** How many failures had no line since this was last called. */
    long takeUntold() {
        long count = untold;
        untold = 0;
        return count;
    }
}
