/** Actors that run by the clock; users get them from the stereotypes. */
@NullMarked
package io.fibry.schedule;

import org.jspecify.annotations.NullMarked;
