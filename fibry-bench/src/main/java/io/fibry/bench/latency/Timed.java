package io.fibry.bench.latency;

/**
 * A message with its due time.
 *
 * @param due the due time, in {@link System#nanoTime()}
 * @param latencies the recorder of its latency
 */
record Timed(long due, Latencies latencies) {

    void handled() {
        latencies.record(due);
    }
}
