package io.fibry.helidon;

import io.fibry.Actor;
import io.fibry.ActorBuilder;

/**
 * Makes the actor that handles the messages of one client.
 *
 * {@snippet class = "HelidonSnippets" region = "endpoint"}
 */
@FunctionalInterface
public interface WebSocketEndpoint {

    /**
     * Called once for each session, when it is open. The actor gets each message of the client by {@code tell}, in
     * order.
     *
     * <p>An actor that is made by the builder is a child of the session: after the end of the connection it handles the
     * received messages, and then ends. If it ends first, the session is closed with the status 1000, or 1011 if it has
     * failed. Its mailbox is bounded with {@link io.fibry.Overflow#BLOCK}: if it is full, nothing more is read from the
     * client.
     *
     * <p>An actor that is made in another way gets the messages only. It may serve several sessions.
     *
     * @param session for answers, and for the end of the session
     * @param actors a builder, whose options may be changed
     * @return the actor for the messages
     * @throws Exception closes the session with the status 1011, and is logged
     */
    Actor<WebSocketMessage> open(WebSocketSession session, ActorBuilder<Object> actors) throws Exception;
}
