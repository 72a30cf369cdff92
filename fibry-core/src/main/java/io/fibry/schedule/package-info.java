/** Actors that run a task at a fixed rate; the public entry point is {@code Stereotypes.schedule}. */
@NullMarked
package io.fibry.schedule;

import org.jspecify.annotations.NullMarked;
