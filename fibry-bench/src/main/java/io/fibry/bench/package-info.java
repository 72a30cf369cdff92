/** Measurements of the library beside its peers: JMH benchmarks, and whole programs that are compared by turns. */
@NullMarked
package io.fibry.bench;

import org.jspecify.annotations.NullMarked;
