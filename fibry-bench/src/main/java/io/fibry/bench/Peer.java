package io.fibry.bench;

import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/**
 * An actor library, seen through what all of them can do. Actors are passed as plain objects, so that the adapter adds nothing
 * to what an actor costs.
 */
interface Peer {

    /** An actor that does not reply. */
    Object actor(Consumer<Object> behavior);

    /** An actor that replies. */
    Object replyActor(UnaryOperator<Object> behavior);

    void tell(Object actor, Object message);

    /** Sends a message and waits for the answer. */
    Object ask(Object actor, Object message);
}
