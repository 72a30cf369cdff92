/**
 * Code that yields values to a reader: {@link io.fibry.generator.Generator}. The entry point is
 * {@code Stereotypes.generator}.
 *
 * <p>Stability: preview.
 *
 * @since 0.1
 */
@NullMarked
package io.fibry.generator;

import org.jspecify.annotations.NullMarked;
