package io.fibry.cluster.pekko.harness;

/**
 * What the entities of the tests reply.
 *
 * @param node the node of the entity
 * @param instance the entity in memory
 * @param count how many messages it has handled
 */
public record Reply(String node, long instance, long count) {}
