/** Actors for keys on a cluster. {@code docs/cluster.md} says what is guaranteed, and when not to use it. */
@NullMarked
package io.fibry.cluster;

import org.jspecify.annotations.NullMarked;
