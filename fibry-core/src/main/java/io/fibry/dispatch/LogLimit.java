package io.fibry.dispatch;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Limits log lines of one kind to one a second, and counts the others. So neither an actor that fails at every message nor an
 * attack on a server floods the log, and the next line can say how many there were. For any number of threads.
 */
public final class LogLimit {

    private static final long PERIOD_NANOS = Duration.ofSeconds(1).toNanos();

    private final AtomicLong due;
    private final AtomicLong untold = new AtomicLong();

    public LogLimit() {
        this(System.nanoTime());
    }

    /** A limit that allows the first line at this time. */
    LogLimit(long nanoTime) {
        due = new AtomicLong(nanoTime);
    }

    /** Whether a line is written now. If not, it is counted. */
    public boolean mayTell() {
        return mayTell(System.nanoTime());
    }

    boolean mayTell(long nanoTime) {
        long next = due.get();
        boolean may = nanoTime - next >= 0 && due.compareAndSet(next, nanoTime + PERIOD_NANOS);
        if (!may) {
            untold.incrementAndGet();
        }
        return may;
    }

    /** How many lines were not written since this was last called. */
    public long takeUntold() {
        return untold.getAndSet(0);
    }
}
