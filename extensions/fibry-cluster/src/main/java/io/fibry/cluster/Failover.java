package io.fibry.cluster;

/**
 * How fast the others take over the entities of a node that does not answer any more. Faster means that a pause of a node, for
 * instance for garbage collection, is sooner taken for its end. The nodes of a cluster must have the same.
 */
public enum Failover {
    /** Within 15 seconds. A node may pause for 3 seconds. */
    DEFAULT,
    /** Within 10 seconds. A node may pause for 2 seconds. For machines with time to spare. */
    FAST
}
