package io.fibry.cluster;

/** Something that happened to the cluster or to entities of this node. */
public sealed interface ClusterEvent {

    /** A node is now in this state. */
    record MemberChanged(Member member) implements ClusterEvent {}

    /** A node has left the cluster, or has been removed from it. */
    record MemberRemoved(Member member) implements ClusterEvent {}

    /** This node owns these entities from now on: all keys of a type that belong to a shard. */
    record ShardArrived(String type, int shard) implements ClusterEvent {}

    /** The entities of this shard on this node have ended. */
    record ShardLeft(String type, int shard) implements ClusterEvent {}

    /** This node is no longer a part of the cluster: it has left, or has been removed. */
    record ThisNodeRemoved() implements ClusterEvent {}
}
