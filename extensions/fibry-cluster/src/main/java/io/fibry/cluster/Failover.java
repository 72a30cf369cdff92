package io.fibry.cluster;

/**
 * The time in which the entities of an unresponsive node are taken over. A shorter time also makes it more likely that
 * a pause, for instance for garbage collection, counts as a failure. All nodes of a cluster need the same value.
 */
public enum Failover {
    /** Within 15 seconds. A node may pause for 3 seconds. */
    DEFAULT,
    /** Within 10 seconds. A node may pause for 2 seconds. For machines with spare capacity. */
    FAST
}
