package io.fibry.flight;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/**
 * Limits the events of one type to 1,000 a second, and counts the others. Otherwise a mailbox that drops a million
 * messages a second would fill the recording, and displace all other events. Thread-safe; concurrent threads may
 * slightly exceed the limit.
 */
final class EventLimit {

    static final int EVENTS = 1_000;

    private static final long PERIOD_NANOS = Duration.ofSeconds(1).toNanos();

    private final AtomicLong end;
    private final AtomicInteger recorded = new AtomicInteger();
    private final LongAdder leftOut = new LongAdder();

    EventLimit() {
        this(System.nanoTime());
    }

    /** Creates a limit whose first second begins at this time. */
    EventLimit(long nanoTime) {
        end = new AtomicLong(nanoTime + PERIOD_NANOS);
    }

    /** Returns whether an event may be recorded now. Otherwise counts it as left out. */
    boolean mayRecord() {
        return mayRecord(System.nanoTime());
    }

    boolean mayRecord(long nanoTime) {
        long current = end.get();
        if (nanoTime - current >= 0 && end.compareAndSet(current, nanoTime + PERIOD_NANOS)) {
            recorded.set(0);
        }
        boolean may = recorded.get() < EVENTS && recorded.incrementAndGet() <= EVENTS;
        if (!may) {
            leftOut.increment();
        }
        return may;
    }

    /** Returns and resets the number of events left out. */
    long takeLeftOut() {
        return leftOut.sumThenReset();
    }
}
