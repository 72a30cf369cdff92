package io.fibry.cluster;

/** An event of the cluster or of the entities of this node. */
public sealed interface ClusterEvent {

    /** The state of a node has changed. */
    record MemberChanged(Member member) implements ClusterEvent {}

    /** A node has left the cluster, or has been removed from it. */
    record MemberRemoved(Member member) implements ClusterEvent {}

    /** This node now owns a shard of a type. */
    record ShardArrived(String type, int shard) implements ClusterEvent {}

    /** This node no longer owns a shard: its entities have ended. */
    record ShardLeft(String type, int shard) implements ClusterEvent {}

    /**
     * No shard of a type can be allocated, although all members are reachable: the coordinator of the type has not
     * responded for the time of the {@linkplain Failover failover}. It is restarted. Messages to entities whose shard
     * has no owner wait until then.
     */
    record AllocationStalled(String type) implements ClusterEvent {}

    /** This node has left the cluster or has been removed from it. */
    record ThisNodeRemoved() implements ClusterEvent {}
}
