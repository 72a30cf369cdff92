/** The cost of ready-made actors, compared with their alternatives. */
@NullMarked
package io.fibry.bench.shapes;

import org.jspecify.annotations.NullMarked;
