/**
 * Actors that handle messages concurrently: {@link io.fibry.pool.WorkerPool} with a limit, and
 * {@link io.fibry.pool.Workers} without one. The entry points are {@code Stereotypes.workerPool} and
 * {@code Stereotypes.workers}.
 *
 * <p>Stability: stable.
 *
 * @since 0.1
 */
@NullMarked
package io.fibry.pool;

import org.jspecify.annotations.NullMarked;
