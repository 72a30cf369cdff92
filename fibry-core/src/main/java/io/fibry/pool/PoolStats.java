package io.fibry.pool;

/**
 * A snapshot of the counters of a {@link WorkerPool}. The first two are current values, the others totals since the
 * start.
 *
 * @param waiting accepted messages that no worker has taken
 * @param running messages being handled; at most {@link PoolOptions#parallelism}
 * @param done messages whose handling has ended, normally or by a failure
 * @param failed messages whose handling has failed
 */
public record PoolStats(int waiting, int running, long done, long failed) {}
