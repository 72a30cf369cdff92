package io.fibry.http;

import com.sun.net.httpserver.HttpExchange;

/** Handles requests of an {@link HttpServerActor} and returns a response with a status and a content type. */
@FunctionalInterface
public interface ReplyHandler {

    /**
     * Handles a request. Each request runs in an actor, so the handler may block.
     *
     * @return the response; null is treated as a failure, unless the handler has sent the response headers itself
     * @throws Exception any failure: it is logged, and the client gets the status 500
     */
    HttpReply handle(HttpExchange exchange) throws Exception;
}
