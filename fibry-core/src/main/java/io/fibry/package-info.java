/**
 * Actors: objects with a mailbox whose behavior handles one message at a time, may block like plain code, and holds a
 * thread only while it runs. Start at {@link io.fibry.ActorSystem}.
 *
 * <p>Stability: stable.
 *
 * @since 0.1
 */
@NullMarked
package io.fibry;

import org.jspecify.annotations.NullMarked;
