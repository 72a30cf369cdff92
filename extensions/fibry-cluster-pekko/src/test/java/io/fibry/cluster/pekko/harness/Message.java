package io.fibry.cluster.pekko.harness;

/**
 * What the entities of the tests get.
 *
 * @param sender the thread that sends it, of one life of a node
 * @param sequence its place among the messages of this sender to this key, from 1
 * @param id differs for all messages of a run
 * @param work how long its handler works, in milliseconds
 * @param odd of a kind that no node's codec accepts
 */
public record Message(String key, String sender, long sequence, long id, int work, boolean odd) {}
