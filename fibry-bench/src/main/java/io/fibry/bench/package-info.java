/** Measurements of the library and its peers: JMH benchmarks, and whole programs that run alternately. */
@NullMarked
package io.fibry.bench;

import org.jspecify.annotations.NullMarked;
