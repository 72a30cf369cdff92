package io.fibry.http;

import com.sun.net.httpserver.HttpExchange;

/** What a route of an {@link HttpServerActor} does with a request if it chooses the status and the content type. */
@FunctionalInterface
public interface ReplyHandler {

    /**
     * Handles a request in an actor of its own; it may block.
     *
     * @return the response; null is a failure as well
     * @throws Exception as it likes: it is logged, and the client gets the status 500
     */
    HttpReply handle(HttpExchange exchange) throws Exception;
}
