package io.fibry.pool;

/**
 * The counters of a {@link WorkerPool}. The first two may change at once, the others count since its start.
 *
 * @param waiting messages that have been accepted, and that no worker has taken
 * @param running messages at work; never more than {@link PoolOptions#parallelism}
 * @param done messages whose handling has ended, also by a failure
 * @param failed messages whose handling has failed
 */
public record PoolStats(int waiting, int running, long done, long failed) {}
