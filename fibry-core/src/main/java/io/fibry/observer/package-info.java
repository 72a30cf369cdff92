/**
 * A page that shows what the actors of a system do: {@link io.fibry.observer.Observer}; the entry point is
 * {@code Stereotypes.observer}.
 */
@NullMarked
package io.fibry.observer;

import org.jspecify.annotations.NullMarked;
