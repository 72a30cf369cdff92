package io.fibry.bench.latency;

/**
 * A message that knows when it was to be sent.
 *
 * @param due a time of {@link System#nanoTime()}
 * @param latencies where its latency is recorded
 */
record Timed(long due, Latencies latencies) {

    void handled() {
        latencies.record(due);
    }
}
