package io.fibry.bench.latency;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * Sends messages at fixed times from a platform thread, regardless of the progress of earlier messages. The latency of
 * a message counts from its due time. A sender that waits for a slow receiver, and counts from the actual send, omits
 * the messages that the wait has delayed. Gil Tene calls this coordinated omission; his load generator wrk2 and his
 * HdrHistogram avoid it in the same way.
 *
 * <p>The delay of the sender itself is also recorded: this part of the latencies is caused by the machine.
 */
final class OpenLoop {

    /** The approximate delay of a wake-up. The sender spins for this time, so that its own wait causes no delay. */
    private static final long SPIN_NANOS = 80_000;

    private final Latencies handled = new Latencies();
    private final Latencies sent = new Latencies();

    private OpenLoop() {}

    /**
     * Sends for a period, and waits until all messages are handled.
     *
     * @param rate the messages per second
     * @param burst the number of messages that are due at the same time
     * @throws IllegalStateException if the peer handles fewer messages than were sent, or more
     */
    static OpenLoop run(int rate, int burst, Duration time, Consumer<Timed> send) {
        var loop = new OpenLoop();
        long count = Math.max(1, rate * time.toMillis() / 1000);
        double between = 1e9 / rate;
        long start = System.nanoTime();
        for (long i = 0; i < count; i++) {
            long due = start + (long) (i / burst * burst * between);
            waitUntil(due);
            loop.sent.record(due);
            send.accept(new Timed(due, loop.handled));
        }
        loop.handled.await(count);
        return loop;
    }

    /** Sends as {@link #run} does, for a multiple of this period; see {@link WarmUp}. */
    static void warmUp(int rate, int burst, Duration time, Consumer<Timed> send) {
        WarmUp.repeat(time, () -> run(rate, burst, time, send));
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
