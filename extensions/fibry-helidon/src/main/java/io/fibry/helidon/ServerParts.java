package io.fibry.helidon;

import io.fibry.Actor;
import io.fibry.ActorBuilder;
import io.fibry.ActorSystem;
import io.fibry.ThreadStrategy;
import io.fibry.sockets.CauseLog;
import io.fibry.sockets.ClientLog;

/**
 * The objects that the connections of a server share.
 *
 * @param actor the server; the actors of its clients are its children
 */
record ServerParts(
        ActorSystem system, Actor<Void> actor, Gate gate, Clients clients, ClientLog log, CauseLog failures) {

    private record Label(Actor<Void> server, String what, Object client) {
        @Override
        public String toString() {
            return server.name() + ", " + what + " of " + client;
        }
    }

    /** A builder of the actor that writes to a client. Its thread can be interrupted while it waits for the socket. */
    ActorBuilder<Object> newWriter(String what, Object client) {
        return system.actor().childOf(actor).strategy(ThreadStrategy.virtual()).label(new Label(actor, what, client));
    }

    /** A builder of the actor that handles the messages of a client. */
    ActorBuilder<Object> newHandler(Actor<?> session, Object client) {
        return system.actor().childOf(session).label(new Label(actor, "handler", client));
    }
}
