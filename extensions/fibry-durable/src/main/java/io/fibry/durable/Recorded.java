package io.fibry.durable;

import java.time.Instant;

/**
 * An event in the history of an entity.
 *
 * @param key the key of the entity
 * @param version the version of the entity after the event, from 1
 * @param time the time at which the event was stored, by the clock of the node
 * @param event the event
 * @param <E> the type of the event
 */
public record Recorded<E>(String key, long version, Instant time, E event) {}
