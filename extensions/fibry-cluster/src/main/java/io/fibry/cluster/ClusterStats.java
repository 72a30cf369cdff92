package io.fibry.cluster;

/**
 * Counts of one node since it joined.
 *
 * @param shards how many shards of all types it owns now; a shard counts from its first message on this node
 * @param entities how many entities it has in memory now
 * @param moved how many shards it has handed over to other nodes
 * @param resent how many messages it has sent again because their entity was just moving. They may have changed their order
 * @param refused how many messages it has refused: because a mailbox was full, they could not be decoded, or it had no majority
 * @param lost how many messages have got lost on this node: those that an entity had accepted and could not handle before it had to end,
 *     and those that found no owner in time
 * @param rejectedConnections how many connections it has rejected, for instance for a wrong certificate or bytes that are no message
 */
public record ClusterStats(
        int shards, int entities, long moved, long resent, long refused, long lost, long rejectedConnections) {}
