/**
 * Runs {@code fibry-cluster} on Pekko's cluster sharding. Pekko decides which node owns a shard; the entities of a
 * shard are actors of this library. Programs call {@code ClusterSystem.join} and do not use this package directly.
 */
@NullMarked
package io.fibry.cluster.pekko;

import org.jspecify.annotations.NullMarked;
