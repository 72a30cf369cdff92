package io.fibry.mapreduce;

/**
 * A snapshot of the counts of a {@link MapReduce}.
 *
 * @param running inputs that are being mapped
 * @param reduced inputs whose values are in the result
 * @param failed inputs whose mapping has failed
 */
public record MapReduceProgress(int running, long reduced, long failed) {}
