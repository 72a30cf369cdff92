package io.fibry.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpHandler;
import io.fibry.ActorSystem;
import io.fibry.ThreadStrategy;
import io.fibry.testing.Client;
import io.fibry.testing.NoLeftovers;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The end of a response and of its connection are decided by the server, not by the headers of a handler. */
@ExtendWith(NoLeftovers.class)
@Timeout(120)
class HttpFramingTest {

    private static final byte[] HELLO = {'h', 'e', 'l', 'l', 'o'};
    private static final String LAST = "Connection: close\r\n";

    private final ActorSystem system = ActorSystem.create();

    @AfterEach
    void close() {
        system.close();
    }

    private int start(HttpRoutes routes) {
        return HttpServerActor.start(
                        system.actor().strategy(ThreadStrategy.virtual()), 0, routes, HttpOptions.defaults())
                .port();
    }

    /** The whole response, with the names of headers in lower case. */
    private static String request(int port, String line, String headers) throws IOException {
        try (var client = new Client(port)) {
            String response = client.send(line + "\r\nHost: localhost\r\n" + headers + "\r\n")
                    .receiveAll();
            int end = response.indexOf("\r\n\r\n");
            return response.substring(0, end).toLowerCase(Locale.ROOT) + response.substring(end);
        }
    }

    /** The header lines that define the end of a response. */
    private static List<String> framing(String response) {
        return response.lines()
                .takeWhile(line -> !line.isEmpty())
                .filter(line -> line.startsWith("content-length:")
                        || line.startsWith("transfer-encoding:")
                        || line.startsWith("connection:"))
                .sorted()
                .toList();
    }

    private static void misleading(Headers headers) {
        headers.set("Content-Length", "3");
        headers.add("Content-Length", "4");
        headers.set("Transfer-Encoding", "gzip, chunked");
        headers.set("Connection", "Content-Length");
    }

    @Test
    void aReplyHasOneLength() throws Exception {
        int port = start(HttpRoutes.all(exchange -> {
            misleading(exchange.getResponseHeaders());
            return "hello";
        }));
        String response = request(port, "GET / HTTP/1.1", LAST);
        assertEquals(List.of("connection: close", "content-length: 5"), framing(response));
        assertTrue(response.endsWith("\r\n\r\nhello"), response);
    }

    @ParameterizedTest
    @CsvSource({
        "GET,  200, 5,  content-length: 5",
        "GET,  200, 0,  transfer-encoding: chunked",
        "GET,  200, -1, content-length: 0",
        "GET,  204, -1, ",
        "GET,  304, -1, ",
        "HEAD, 200, -1, ",
    })
    void aHandlersOwnResponseHasOneLength(String method, int status, long length, String expected) throws Exception {
        HttpHandler handler = exchange -> {
            misleading(exchange.getResponseHeaders());
            exchange.sendResponseHeaders(status, length);
            if (length >= 0) {
                exchange.getResponseBody().write(HELLO);
            }
        };
        int port = start(HttpRoutes.none().handle(method, "/", ReplyHandler.of(handler)));
        var expectedLines = expected == null ? List.of("connection: close") : List.of("connection: close", expected);
        assertEquals(expectedLines, framing(request(port, method + " / HTTP/1.1", LAST)));
    }

    /** For these responses the server cannot know the length, and the handler has to specify it. */
    @ParameterizedTest
    @CsvSource({"HEAD, 200", "GET, 304"})
    void theHandlerSetsTheLengthOfABodyThatIsNotSent(String method, int status) throws Exception {
        int port = start(HttpRoutes.none().handle(method, "/", ReplyHandler.of(exchange -> {
            exchange.getResponseHeaders().set("Content-Length", "5");
            exchange.sendResponseHeaders(status, -1);
        })));
        assertEquals(
                List.of("connection: close", "content-length: 5"),
                framing(request(port, method + " / HTTP/1.1", LAST)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"close", "Close", "x, CLOSE"})
    void aHandlerCanEndTheConnection(String connection) throws Exception {
        int port = start(HttpRoutes.all(exchange -> {
            exchange.getResponseHeaders().set("Connection", connection);
            return "hello";
        }));
        assertEquals(List.of("connection: close", "content-length: 5"), framing(request(port, "GET / HTTP/1.1", "")));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Connection: close\r\n",
                "Connection: TE, close\r\n",
                "Connection: CLOSE , TE\r\n",
                "Connection: TE\r\nConnection: close\r\n",
                "connection: close\r\nCONNECTION: TE\r\n",
            })
    void aClientCanEndTheConnection(String connection) throws Exception {
        int port = start(HttpRoutes.all(exchange -> "hello"));
        assertEquals(
                List.of("connection: close", "content-length: 5"),
                framing(request(port, "GET / HTTP/1.1", connection)));
        assertTrue(framing(request(port, "GET / HTTP/1.0", connection)).contains("connection: close"));
    }

    @Test
    void withHttp10TheConnectionStaysOnlyIfTheClientAsksForIt() throws Exception {
        int port = start(HttpRoutes.all(exchange -> "hello"));
        assertEquals(
                List.of("connection: close", "content-length: 5"),
                framing(request(port, "GET / HTTP/1.0", "Connection: TE\r\n")));
        try (var client = new Client(port)) {
            client.send("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n").send("GET / HTTP/1.0\r\n\r\n");
            String both = client.receiveAll();
            assertEquals(2, both.split("hello", -1).length - 1, both);
            assertTrue(both.toLowerCase(Locale.ROOT).contains("connection: keep-alive"), both);
        }
    }

    @Test
    void aConnectionStaysOpenByDefault() throws Exception {
        int port = start(HttpRoutes.all(exchange -> "hello"));
        try (var client = new Client(port)) {
            client.send("GET / HTTP/1.1\r\nHost: localhost\r\nConnection: not-close, TE\r\n\r\n")
                    .send("GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
            String both = client.receiveAll();
            assertEquals(2, both.split("hello", -1).length - 1, both);
            assertFalse(both.substring(0, both.indexOf("hello")).contains("close"), both);
        }
    }
}
