/**
 * Entities whose state or events are stored in an SQL database before the reply, on one machine or on a cluster, with
 * messages between them, reminders and projections. {@code docs/durable.md}, {@code docs/durable-messages.md} and
 * {@code docs/projections.md} have the guarantees.
 *
 * <p>Stability: preview.
 *
 * @since 0.1
 */
@NullMarked
package io.fibry.durable;

import org.jspecify.annotations.NullMarked;
