/** Actors and {@link java.util.concurrent.Flow}: the public entry points are in {@code Stereotypes}. */
@NullMarked
package io.fibry.flow;

import org.jspecify.annotations.NullMarked;
