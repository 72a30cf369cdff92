package io.fibry.http;

import com.sun.net.httpserver.HttpExchange;

/** Handles requests of an {@link HttpServerActor} and returns the text of the response. */
@FunctionalInterface
public interface ExchangeHandler {

    /**
     * Handles a request. Each request runs in an actor, so the handler may block.
     *
     * @return the text of the response, whose status is 200; ignored if the handler has sent the response headers
     *     itself
     * @throws Exception any failure: it is logged, and the client gets the status 500
     */
    String handle(HttpExchange exchange) throws Exception;
}
