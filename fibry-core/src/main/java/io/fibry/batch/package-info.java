/**
 * Actors that handle their messages in batches: {@link io.fibry.batch.Batcher}. The entry point is
 * {@code Stereotypes.batcher}.
 *
 * <p>Stability: stable.
 *
 * @since 0.1
 */
@NullMarked
package io.fibry.batch;

import org.jspecify.annotations.NullMarked;
