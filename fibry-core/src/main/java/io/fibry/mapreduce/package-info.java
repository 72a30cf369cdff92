/** Many inputs, mapped in parallel and reduced to one result: {@link io.fibry.mapreduce.MapReduce}; the entry point is {@code Stereotypes.mapReduce}. */
@NullMarked
package io.fibry.mapreduce;

import org.jspecify.annotations.NullMarked;
