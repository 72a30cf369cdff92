package io.fibry.cluster.pekko;

import java.util.concurrent.ThreadLocalRandom;

/**
 * The identity of a cluster, which distinguishes clusters of the same name.
 *
 * @param id a random number
 * @param formedAt the wall-clock time at which the cluster was formed
 */
record ClusterIdentity(long id, long formedAt) {

    static final ClusterIdentity NONE = new ClusterIdentity(0, 0);

    static ClusterIdentity make() {
        return new ClusterIdentity(ThreadLocalRandom.current().nextLong(1, Long.MAX_VALUE), System.currentTimeMillis());
    }

    boolean isOlderThan(ClusterIdentity other) {
        return formedAt < other.formedAt || (formedAt == other.formedAt && id < other.id);
    }
}
