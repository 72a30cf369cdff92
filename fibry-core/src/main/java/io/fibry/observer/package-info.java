/**
 * A live page about the actors of a system: {@link io.fibry.observer.Observer}. The entry point is {@code
 * Stereotypes.observer}.
 *
 * <p>Stability: preview.
 *
 * @since 0.1
 */
@NullMarked
package io.fibry.observer;

import org.jspecify.annotations.NullMarked;
