/** Actors that share out work; users get them from the stereotypes. */
@NullMarked
package io.fibry.pool;

import org.jspecify.annotations.NullMarked;
