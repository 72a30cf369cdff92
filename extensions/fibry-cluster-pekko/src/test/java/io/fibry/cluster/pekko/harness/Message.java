package io.fibry.cluster.pekko.harness;

/**
 * A message to an entity of the tests.
 *
 * @param sender the sending thread, in one run of a node
 * @param sequence its place among the messages of this sender to this key, from 1
 * @param id differs for all messages of a run
 * @param work the duration of its handler, in milliseconds
 * @param odd of a kind that no node's codec accepts
 */
public record Message(String key, String sender, long sequence, long id, int work, boolean odd) {}
