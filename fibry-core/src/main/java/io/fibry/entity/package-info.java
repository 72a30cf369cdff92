/**
 * Actors for keys, created on their first message and ended when idle; the entry point is {@code Stereotypes.entities}.
 *
 * <p>Stability: stable.
 *
 * @since 0.1
 */
@NullMarked
package io.fibry.entity;

import org.jspecify.annotations.NullMarked;
