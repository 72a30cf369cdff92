package io.fibry.http;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Handles requests of an {@link HttpServerActor} and returns a response with a status and a content type. */
@FunctionalInterface
public interface ReplyHandler {

    /**
     * Handles a request. Each request runs in an actor, so the handler may block.
     *
     * @return the response, or null if the handler has sent the response on the exchange; null without a response is a
     *     failure
     * @throws Exception any failure: it is logged, and the client gets the status 500
     */
    @Nullable
    HttpReply handle(HttpExchange exchange) throws Exception;

    /**
     * Adapts a handler that reads the request and sends the response on the exchange itself, such as a handler of
     * {@link com.sun.net.httpserver.SimpleFileServer}. When the handler returns, the exchange is closed. If a header is
     * invalid, for instance because of a line break, or the status is not from 200 to 599,
     * {@link HttpExchange#sendResponseHeaders} throws {@link IllegalArgumentException}. That method sets
     * {@code Content-Length} and {@code Transfer-Encoding}, and ignores the values of the handler, except the length of
     * a body that is not sent, for {@code HEAD} and the status 304. The body of a response to {@code HEAD} is
     * discarded.
     */
    static ReplyHandler of(HttpHandler handler) {
        Objects.requireNonNull(handler, "handler");
        return exchange -> {
            handler.handle(exchange);
            return null;
        };
    }
}
