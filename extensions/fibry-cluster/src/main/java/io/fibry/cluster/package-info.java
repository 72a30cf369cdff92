/** Entities on a cluster. {@code docs/cluster.md} has the guarantees and limits. */
@NullMarked
package io.fibry.cluster;

import org.jspecify.annotations.NullMarked;
