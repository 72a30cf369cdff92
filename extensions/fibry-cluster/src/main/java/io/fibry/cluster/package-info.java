/**
 * Entities on a cluster. {@code docs/cluster.md} has the guarantees and limits.
 *
 * <p>Stability: preview.
 *
 * @since 0.1
 */
@NullMarked
package io.fibry.cluster;

import org.jspecify.annotations.NullMarked;
