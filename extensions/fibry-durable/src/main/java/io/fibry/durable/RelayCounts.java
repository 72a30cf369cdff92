package io.fibry.durable;

import io.fibry.durable.DurableStore.Waiting;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.LongAdder;

/** The counts of a {@link Relay}. Written by its actor, and read by any thread. */
final class RelayCounts {

    private static final Duration PERIOD = Duration.ofSeconds(5);

    private final LongAdder failures = new LongAdder();
    private volatile Waiting waiting = new Waiting(0, 0);

    /** Whether the counts have been read since the last look into the store. Nobody else needs the look. */
    private volatile boolean isRead;

    private Instant lastLook = Instant.MIN;

    /** Returns the counts of the last look into the store, which takes place after the previous call. */
    Waiting waiting() {
        isRead = true;
        return waiting;
    }

    long failures() {
        return failures.sum();
    }

    void failed() {
        failures.increment();
    }

    void look(DurableStore store, String type, Instant now) throws Exception {
        if (isRead && !lastLook.isAfter(now.minus(PERIOD))) {
            isRead = false;
            lastLook = now;
            waiting = store.waiting(type, now);
        }
    }
}
