/** Ready-made actors, one line each: {@link io.fibry.stereotypes.Stereotypes}. */
@NullMarked
package io.fibry.stereotypes;

import org.jspecify.annotations.NullMarked;
