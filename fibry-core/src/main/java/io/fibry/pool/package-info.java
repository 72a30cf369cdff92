/**
 * Actors that handle messages in parallel: {@link io.fibry.pool.WorkerPool}, with a limit, and {@link io.fibry.pool.Workers}, without one; the
 * entry points are {@code Stereotypes.workerPool} and {@code Stereotypes.workers}.
 */
@NullMarked
package io.fibry.pool;

import org.jspecify.annotations.NullMarked;
