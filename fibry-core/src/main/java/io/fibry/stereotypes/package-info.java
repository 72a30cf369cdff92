/**
 * Ready-made actors, one line each: {@link io.fibry.stereotypes.Stereotypes}.
 *
 * <p>Stability: stable.
 *
 * @since 0.1
 */
@NullMarked
package io.fibry.stereotypes;

import org.jspecify.annotations.NullMarked;
