/** What ready-made actors cost beside what one would use without them. */
@NullMarked
package io.fibry.bench.shapes;

import org.jspecify.annotations.NullMarked;
