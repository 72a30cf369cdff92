/** Actors for keys, made at their first message and ended when idle; the public entry point is {@code Stereotypes.entities}. */
@NullMarked
package io.fibry.entity;

import org.jspecify.annotations.NullMarked;
