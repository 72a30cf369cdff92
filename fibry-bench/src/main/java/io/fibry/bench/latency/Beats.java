package io.fibry.bench.latency;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * An action that a thread executes every 10 ms, sleeping in between. If it misses several times, it executes all of
 * them, and each latency counts from the due time. A thread that did not run therefore has as many latencies as a
 * punctual one.
 */
final class Beats {

    static final Duration PERIOD = Duration.ofMillis(10);

    private final Latencies latencies = new Latencies();
    private final CompletableFuture<Void> end = new CompletableFuture<>();
    private final Runnable beat;
    private final long count;
    private final long start = System.nanoTime();

    /** Starts at once, on a thread of this kind. */
    Beats(Thread.Builder thread, Duration time, Runnable beat) {
        this.beat = beat;
        count = Math.max(1, time.dividedBy(PERIOD));
        thread.start(this::run);
    }

    private void run() {
        try {
            for (long i = 1; i <= count; i++) {
                long due = start + i * PERIOD.toNanos();
                for (long left = due - System.nanoTime(); left > 0; left = due - System.nanoTime()) {
                    Thread.sleep(Duration.ofNanos(left));
                }
                beat.run();
                latencies.record(due);
            }
            end.complete(null);
        } catch (InterruptedException | RuntimeException e) {
            end.completeExceptionally(e);
        }
    }

    /** Waits for the last beat. */
    Latencies await() {
        end.orTimeout(1, TimeUnit.MINUTES).join();
        latencies.await(count);
        return latencies;
    }
}
