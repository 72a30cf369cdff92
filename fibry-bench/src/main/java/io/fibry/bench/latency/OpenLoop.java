package io.fibry.bench.latency;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * Sends messages at fixed times, whether the earlier ones are handled or not, from a platform thread. The latency of a message
 * counts from the time when it was to be sent. A sender that waits for a slow receiver, and counts from when it sends at last,
 * leaves out the messages that the wait has delayed: Gil Tene calls that coordinated omission, and his load generator wrk2 and
 * his HdrHistogram avoid it in this way.
 *
 * <p>How late the sender itself is, is recorded too: that share of the latencies is the machine's.
 */
final class OpenLoop {

    /** A parked thread wakes up about so much late. It spins for the rest, so that it is not late by its own wait. */
    private static final long SPIN_NANOS = 80_000;

    private final Latencies handled = new Latencies();
    private final Latencies sent = new Latencies();

    private OpenLoop() {}

    /**
     * Sends for a while, and waits until all messages are handled.
     *
     * @param rate messages a second
     * @throws IllegalStateException if the peer handles fewer messages than were sent, or more
     */
    static OpenLoop run(int rate, Duration time, Consumer<Timed> send) {
        var loop = new OpenLoop();
        long count = Math.max(1, rate * time.toMillis() / 1000);
        double between = 1e9 / rate;
        long start = System.nanoTime();
        for (long i = 0; i < count; i++) {
            long due = start + (long) (i * between);
            waitUntil(due);
            loop.sent.record(due);
            send.accept(new Timed(due, loop.handled));
        }
        loop.handled.await(count);
        return loop;
    }

    private static void waitUntil(long due) {
        for (long left = due - System.nanoTime(); left > 0; left = due - System.nanoTime()) {
            if (left > SPIN_NANOS) {
                LockSupport.parkNanos(left - SPIN_NANOS);
            } else {
                Thread.onSpinWait();
            }
        }
    }

    List<Finding> findings() {
        var found = new ArrayList<>(handled.findings(""));
        found.addAll(sent.findings("sender-"));
        return found;
    }
}
