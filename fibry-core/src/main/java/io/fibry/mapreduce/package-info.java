/**
 * Concurrent mapping of many inputs, reduced to one result: {@link io.fibry.mapreduce.MapReduce}. The entry point is
 * {@code Stereotypes.mapReduce}.
 *
 * <p>Stability: stable.
 *
 * @since 0.1
 */
@NullMarked
package io.fibry.mapreduce;

import org.jspecify.annotations.NullMarked;
