package io.fibry.cluster;

/**
 * A snapshot of the counters of this node since it joined.
 *
 * @param shards the number of shards of all types that the node owns; a shard counts from its first message on this
 *     node
 * @param entities the number of entities in memory
 * @param moved the number of shards handed over to other nodes
 * @param resent the number of messages sent again because their entity was moving or a queue was full; they may have
 *     lost their order
 * @param refused the number of refused messages: the mailbox was full, a message or a frame could not be decoded, no
 *     node hosts the type, or the node had no majority
 * @param lost the number of messages lost on this node: accepted by an entity that had to end before it handled them,
 *     or without an owner in time
 * @param rejectedConnections the number of rejected connections, for instance because of an invalid certificate or
 *     invalid bytes
 */
public record ClusterStats(
        int shards, int entities, long moved, long resent, long refused, long lost, long rejectedConnections) {}
