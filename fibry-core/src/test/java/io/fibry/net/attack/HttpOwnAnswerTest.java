package io.fibry.net.attack;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpHandler;
import io.fibry.ActorSystem;
import io.fibry.ThreadStrategy;
import io.fibry.net.HttpOptions;
import io.fibry.net.HttpRoutes;
import io.fibry.net.HttpServerActor;
import io.fibry.testing.NoLeftovers;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A handler that has its own way with the response: nothing behind a request with chunks is read from the connection. */
@ExtendWith(NoLeftovers.class)
@Timeout(60)
class HttpOwnAnswerTest {

    private static final String CHUNKED = "POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n";

    @ParameterizedTest
    @ValueSource(strings = {"0\r\n\r\n", "5\r\nhello\r\n0\r\n\r\n", "100000000\r\n\r\n"})
    void theConnectionEndsWithTheResponse(String body) throws Exception {
        List<String> handled = new CopyOnWriteArrayList<>();
        HttpHandler own = exchange -> {
            handled.add(exchange.getRequestURI().getPath());
            exchange.getRequestBody().readAllBytes();
            exchange.sendResponseHeaders(200, 2);
            exchange.getResponseBody().write(new byte[] {'o', 'k'});
        };
        assertOnlyTheFirstIsHandled(
                HttpRoutes.none().exchange("POST", "/", own).exchange("GET", "/smuggled", own), handled, body);
    }

    @ParameterizedTest
    @ValueSource(strings = {"0\r\n\r\n", "5\r\nhello\r\n0\r\n\r\n", "100000000\r\n\r\n"})
    void aHandlerThatGivesATextCannotKeepTheConnection(String body) throws Exception {
        List<String> handled = new CopyOnWriteArrayList<>();
        HttpRoutes routes = HttpRoutes.all(exchange -> {
            handled.add(exchange.getRequestURI().getPath());
            exchange.getRequestBody().readAllBytes();
            exchange.getResponseHeaders().set("Connection", "keep-alive");
            return "ok";
        });
        assertOnlyTheFirstIsHandled(routes, handled, body);
    }

    private static void assertOnlyTheFirstIsHandled(HttpRoutes routes, List<String> handled, String body)
            throws Exception {
        try (var system = ActorSystem.create();
                var server =
                        HttpServerActor.start(system, ThreadStrategy.virtual(), 0, routes, HttpOptions.defaults())) {
            byte[] request = (CHUNKED + body + Corpus.SMUGGLED).getBytes(ISO_8859_1);
            String response = Raw.exchange(server.port(), request, Integer.MAX_VALUE);
            assertEquals(1, response.split("HTTP/1.1 ", -1).length - 1, response);
            assertTrue(response.startsWith("HTTP/1.1 200 ") || response.startsWith("HTTP/1.1 400 "), response);
            assertEquals(List.of("/"), handled);
        }
    }
}
