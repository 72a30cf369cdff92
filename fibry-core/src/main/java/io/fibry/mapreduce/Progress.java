package io.fibry.mapreduce;

/**
 * How far a {@link MapReduce} has come.
 *
 * @param running inputs that are being mapped
 * @param reduced inputs whose values are in the result
 * @param failed inputs whose mapping has failed
 */
public record Progress(int running, long reduced, long failed) {}
