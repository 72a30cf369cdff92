package io.fibry.dispatch;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Limits log lines of one kind to one a second, and counts the suppressed ones, whose number the next line can include.
 * Neither an actor that fails for every message nor an attack on a server can flood the log. Thread-safe.
 */
public final class LogLimit {

    private static final long PERIOD_NANOS = Duration.ofSeconds(1).toNanos();

    private final AtomicLong due;
    private final AtomicLong suppressed = new AtomicLong();

    public LogLimit() {
        this(System.nanoTime());
    }

    /** Creates a limit that allows the first line at this time. */
    LogLimit(long nanoTime) {
        due = new AtomicLong(nanoTime);
    }

    /** Returns whether a line may be written now. Otherwise counts it as suppressed. */
    public boolean tryLog() {
        return tryLog(System.nanoTime());
    }

    boolean tryLog(long nanoTime) {
        long next = due.get();
        boolean may = nanoTime - next >= 0 && due.compareAndSet(next, nanoTime + PERIOD_NANOS);
        if (!may) {
            suppressed.incrementAndGet();
        }
        return may;
    }

    /** Returns and resets the number of suppressed lines. */
    public long takeSuppressed() {
        return suppressed.getAndSet(0);
    }
}
