/**
 * The service interface for cluster implementations.
 *
 * <p>Stability: preview.
 *
 * @since 0.1
 */
@NullMarked
package io.fibry.cluster.spi;

import org.jspecify.annotations.NullMarked;
