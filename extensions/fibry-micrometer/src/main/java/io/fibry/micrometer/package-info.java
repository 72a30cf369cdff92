/**
 * Metrics of actor systems for Micrometer.
 *
 * <p>Stability: stable.
 *
 * @since 0.1
 */
@NullMarked
package io.fibry.micrometer;

import org.jspecify.annotations.NullMarked;
