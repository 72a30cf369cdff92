/**
 * Actors: objects with a mailbox whose behavior handles one message at a time, may block like plain code, and borrows a
 * thread only while it works. Start at {@link io.fibry.ActorSystem}.
 */
@NullMarked
package io.fibry;

import org.jspecify.annotations.NullMarked;
