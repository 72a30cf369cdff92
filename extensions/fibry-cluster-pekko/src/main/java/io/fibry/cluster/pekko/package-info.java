/**
 * Runs {@code fibry-cluster} on Pekko's cluster sharding. Pekko decides which node owns a shard; the entities of a shard are actors of
 * this library. Programs use {@code ClusterSystem.join}, and nothing of this package.
 */
@NullMarked
package io.fibry.cluster.pekko;

import org.jspecify.annotations.NullMarked;
