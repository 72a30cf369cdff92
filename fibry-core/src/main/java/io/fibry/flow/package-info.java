/**
 * Actors and {@link java.util.concurrent.Flow}: the public entry points are in {@code Stereotypes}.
 *
 * <p>Stability: stable.
 *
 * @since 0.1
 */
@NullMarked
package io.fibry.flow;

import org.jspecify.annotations.NullMarked;
