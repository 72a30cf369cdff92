package io.fibry.cluster.pekko.harness;

/**
 * A reply of an entity of the tests.
 *
 * @param node the node of the entity
 * @param instance the entity instance
 * @param count the number of messages that it has handled
 */
public record Reply(String node, long instance, long count) {}
