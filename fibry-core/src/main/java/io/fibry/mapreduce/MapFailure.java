package io.fibry.mapreduce;

import org.jspecify.annotations.Nullable;

/**
 * An input whose mapping has failed.
 *
 * @param input the input
 * @param cause the exception of the mapper
 */
public record MapFailure(@Nullable Object input, Throwable cause) {}
