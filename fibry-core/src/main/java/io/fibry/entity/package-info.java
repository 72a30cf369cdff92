/**
 * Actors for keys, created on their first message and ended when idle; the entry point is {@code Stereotypes.entities}.
 */
@NullMarked
package io.fibry.entity;

import org.jspecify.annotations.NullMarked;
