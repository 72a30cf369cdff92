/**
 * Entities whose state or events are stored in an SQL database before the reply, on one machine or on a cluster.
 * {@code docs/durable.md} has the guarantees.
 */
@NullMarked
package io.fibry.durable;

import org.jspecify.annotations.NullMarked;
