package io.fibry.net.attack;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import io.fibry.ActorSystem;
import io.fibry.ThreadStrategy;
import io.fibry.http.HttpOptions;
import io.fibry.http.HttpRoutes;
import io.fibry.http.HttpServerActor;
import io.fibry.http.ReplyHandler;
import io.fibry.testing.AllStrategies;
import io.fibry.testing.NoLeftovers;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** A handler that sends its response itself: no data behind a request with chunks is read from the connection. */
@ExtendWith(NoLeftovers.class)
@Timeout(60)
class HttpOwnAnswerTest {

    private static final String CHUNKED = "POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n";
    private static final List<String> BODIES = List.of("0\r\n\r\n", "5\r\nhello\r\n0\r\n\r\n", "100000000\r\n\r\n");

    private final List<String> handled = Collections.synchronizedList(new ArrayList<>());

    private void handle(HttpExchange exchange) throws IOException {
        handled.add(exchange.getRequestURI().getPath());
        exchange.getRequestBody().readAllBytes();
    }

    @AllStrategies
    void aHandlerThatSendsItsResponseHandlesOneRequest(ThreadStrategy strategy) throws Exception {
        HttpHandler own = exchange -> {
            handle(exchange);
            exchange.sendResponseHeaders(200, 2);
            exchange.getResponseBody().write(new byte[] {'o', 'k'});
        };
        assertHandlesTheFirst(
                strategy,
                HttpRoutes.none()
                        .handle("POST", "/", ReplyHandler.of(own))
                        .handle("GET", "/smuggled", ReplyHandler.of(own)));
    }

    @AllStrategies
    void aHandlerThatSetsKeepAliveHandlesOneRequest(ThreadStrategy strategy) throws Exception {
        assertHandlesTheFirst(strategy, HttpRoutes.all(exchange -> {
            handle(exchange);
            exchange.getResponseHeaders().set("Connection", "keep-alive");
            return "ok";
        }));
    }

    private void assertHandlesTheFirst(ThreadStrategy strategy, HttpRoutes routes) throws Exception {
        for (String body : BODIES) {
            handled.clear();
            try (var system = ActorSystem.create();
                    var server = HttpServerActor.start(
                            system.actor().strategy(strategy), 0, routes, HttpOptions.defaults())) {
                byte[] request = (CHUNKED + body + Corpus.SMUGGLED).getBytes(ISO_8859_1);
                String response = Raw.exchange(server.port(), request, Integer.MAX_VALUE);
                assertEquals(1, response.split("HTTP/1.1 ", -1).length - 1, response);
                assertTrue(response.startsWith("HTTP/1.1 200 ") || response.startsWith("HTTP/1.1 400 "), response);
                assertEquals(List.of("/"), handled);
            }
        }
    }
}
