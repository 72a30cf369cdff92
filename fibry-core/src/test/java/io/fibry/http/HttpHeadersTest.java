package io.fibry.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.Headers;
import io.fibry.ActorSystem;
import io.fibry.ThreadStrategy;
import io.fibry.testing.Client;
import io.fibry.testing.NoLeftovers;
import io.fibry.testing.ThreadKinds;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Headers that checks and routes set for all responses: error responses have them, too. */
@ExtendWith(NoLeftovers.class)
@Timeout(120)
class HttpHeadersTest {

    private final ActorSystem system = ActorSystem.create();

    private final HttpRoutes routes = HttpRoutes.none()
            .header("X-Content-Type-Options", "nosniff")
            .header("Server", "first")
            .header("server", "second")
            .filter(exchange -> {
                Headers headers = exchange.getResponseHeaders();
                headers.set("Access-Control-Allow-Origin", "https://example.org");
                headers.add("Vary", "Origin");
                headers.add("Vary", "Accept");
                headers.set("Content-Type", "application/json");
                headers.set("Content-Encoding", "br");
                return exchange.getRequestHeaders().containsKey("Refuse") ? new HttpReply(403, null, "no") : null;
            })
            .filter(exchange -> {
                if (exchange.getRequestHeaders().containsKey("Fail")) {
                    throw new IllegalStateException("on purpose");
                }
                return null;
            })
            .get("/ok", exchange -> "ok")
            .get("/number", exchange -> "" + HttpParameters.ofQuery(exchange).get("n", Long::parseLong))
            .get("/fail", exchange -> {
                exchange.getResponseHeaders().set("Set-Cookie", "a=b");
                throw new IllegalStateException("on purpose");
            })
            .get("/null", exchange -> null)
            .get("/invalid", exchange -> {
                exchange.getResponseHeaders().put("Invalid", List.of("a\u0100b"));
                return "";
            })
            .post("/body", exchange -> {
                exchange.getRequestBody().readAllBytes();
                return "";
            })
            .health("/health", () -> true);

    @AfterEach
    void close() {
        system.close();
    }

    private HttpServerActor start(ThreadStrategy strategy, HttpOptions options) {
        return HttpServerActor.start(system.actor().strategy(strategy), 0, routes, options);
    }

    private static String send(HttpServerActor server, String request) throws Exception {
        try (var client = new Client(server.port())) {
            return client.send(request.replace("|", "\r\n")).receiveAll().toLowerCase(Locale.ROOT);
        }
    }

    /** The number of lines of a response that are equal to this one. */
    private static long lines(String response, String line) {
        return response.lines().filter(line::equals).count();
    }

    @ParameterizedTest
    @CsvSource({
        "/ok,          X: y,    200",
        "/ok,          Refuse:, 403",
        "/ok,          Fail:,   500",
        "/number?n=a,  X: y,    400",
        "/number,      X: y,    400",
        "/fail,        X: y,    500",
        "/null,        X: y,    500",
        "/invalid,     X: y,    500",
        "/nothing,     X: y,    404",
    })
    void theHeadersOfChecksAreSentWithEachResponse(String target, String header, int status) throws Exception {
        var server = start(ThreadStrategy.virtual(), HttpOptions.defaults());
        String response = send(server, "GET " + target + " HTTP/1.1|Host: a|Connection: close|" + header + "||");
        assertTrue(response.startsWith("http/1.1 " + status + " "), response);
        assertEquals(1, lines(response, "access-control-allow-origin: https://example.org"), response);
        assertEquals(1, lines(response, "vary: origin"), response);
        assertEquals(1, lines(response, "vary: accept"), response);
        assertEquals(1, lines(response, "x-content-type-options: nosniff"), response);
        assertEquals(1, lines(response, "server: second"), response);
        assertFalse(response.contains("set-cookie"), response);
        boolean failed = status == 400 || status == 500;
        assertEquals(failed ? 0 : 1, lines(response, "content-encoding: br"), response);
        assertEquals(failed ? 1 : 0, lines(response, "content-type: text/plain; charset=utf-8"), response);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET /a/../b HTTP/1.1|Host: a||",
                "GET / HTTP/1.1||",
                "GET / HTTP/1.9|Host: a||",
                "POST /body HTTP/1.1|Host: a|Content-Length: 9999999||",
                "POST /body HTTP/1.1|Host: a|Content-Length: +5||",
                "GET /ok HTTP/1.1|Host: a|Long: LONG||",
            })
    void theHeadersOfAllResponsesAreSentWithRefusals(String request) throws Exception {
        var server = start(ThreadStrategy.virtual(), HttpOptions.defaults().maxHeaderBytes(2000));
        String response = send(server, request.replace("LONG", "x".repeat(2000)));
        assertTrue(response.startsWith("http/1.1 4") || response.startsWith("http/1.1 5"), response);
        assertEquals(1, lines(response, "x-content-type-options: nosniff"), response);
        assertEquals(0, lines(response, "access-control-allow-origin: https://example.org"), response);
    }

    @ThreadKinds
    void theHeadersAreSentWhenTheServerIsFull(ThreadStrategy strategy) throws Exception {
        var entered = new CountDownLatch(1);
        var release = new CountDownLatch(1);
        var waiting = HttpRoutes.all(exchange -> {
                    entered.countDown();
                    release.await();
                    return "";
                })
                .header("X-Content-Type-Options", "nosniff");
        var server = HttpServerActor.start(
                system.actor().strategy(strategy),
                0,
                waiting,
                HttpOptions.defaults().maxRequests(1));
        try (var first = new Client(server.port())) {
            first.send("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
            entered.await();
            String response = send(server, "GET / HTTP/1.1|Host: a||");
            assertTrue(response.startsWith("http/1.1 503 "), response);
            assertEquals(1, lines(response, "x-content-type-options: nosniff"), response);
            assertEquals(1, lines(response, "retry-after: 1"), response);
            release.countDown();
            first.receiveAll();
        }
    }

    @Test
    void aHealthCheckHasTheHeadersOfAllResponsesButNotOfChecks() throws Exception {
        var server = start(ThreadStrategy.virtual(), HttpOptions.defaults());
        String response = send(server, "GET /health HTTP/1.1|Host: a|Connection: close|Refuse: yes||");
        assertTrue(response.startsWith("http/1.1 200 "), response);
        assertEquals(1, lines(response, "x-content-type-options: nosniff"), response);
        assertFalse(response.contains("access-control"), response);
    }

    @ParameterizedTest
    @CsvSource({
        "'A B', c",
        "'', c",
        "A, 'b\r\nC: d'",
        "A, '\u0100'",
        "content-length, 5",
        "Transfer-Encoding, chunked",
        "Connection, close",
        "Content-Type, text/html",
        "Date, now"
    })
    void aHeaderThatIsNotValidForAllResponsesIsRefused(String name, String value) {
        var none = HttpRoutes.none();
        var e = assertThrows(IllegalArgumentException.class, () -> none.header(name, value));
        assertTrue(e.getMessage().contains(name), e.getMessage());
    }
}
