package io.fibry.mapreduce;

import org.jspecify.annotations.Nullable;

/**
 * An input whose mapping has failed.
 *
 * @param input the input
 * @param cause what the mapper has thrown
 */
public record MapFailure(@Nullable Object input, Throwable cause) {}
