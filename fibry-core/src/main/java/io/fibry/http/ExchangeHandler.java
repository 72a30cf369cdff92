package io.fibry.http;

import com.sun.net.httpserver.HttpExchange;

/** What an {@link HttpServerActor} does with a request. */
@FunctionalInterface
public interface ExchangeHandler {

    /**
     * Handles a request in an actor of its own; it may block.
     *
     * @return the text of the response, whose status is 200. A handler that has sent response headers itself returns anything
     * @throws Exception as it likes: it is logged, and the client gets the status 500
     */
    String handle(HttpExchange exchange) throws Exception;
}
