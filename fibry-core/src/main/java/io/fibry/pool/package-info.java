/** Actors that handle messages in parallel; the public entry point is {@code Stereotypes.workers}. */
@NullMarked
package io.fibry.pool;

import org.jspecify.annotations.NullMarked;
