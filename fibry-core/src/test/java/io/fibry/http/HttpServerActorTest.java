package io.fibry.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpExchange;
import io.fibry.ActorSystem;
import io.fibry.ThreadStrategy;
import io.fibry.testing.AllStrategies;
import io.fibry.testing.LogLines;
import io.fibry.testing.NoLeftovers;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@ExtendWith(NoLeftovers.class)
@Timeout(120)
class HttpServerActorTest {

    private final ActorSystem system = ActorSystem.create();
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    @AfterEach
    void close() {
        system.close();
        client.close();
    }

    static HttpRequest.Builder request(HttpServerActor server, String path) {
        return HttpRequest.newBuilder(URI.create("http://localhost:" + server.port() + path))
                .timeout(Duration.ofSeconds(60));
    }

    private HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
        return client.send(request.build(), BodyHandlers.ofString());
    }

    private HttpServerActor start(ThreadStrategy strategy, ExchangeHandler handler) {
        return HttpServerActor.start(
                system.actor().strategy(strategy), 0, HttpRoutes.all(handler), HttpOptions.defaults());
    }

    private static String header(HttpResponse<?> response, String name) {
        return response.headers().firstValue(name).orElse("");
    }

    /** The client's port identifies its connection. */
    private static String connection(HttpExchange exchange) {
        return Integer.toString(exchange.getRemoteAddress().getPort());
    }

    @AllStrategies
    void answersWithTheHandlersText(ThreadStrategy strategy) throws Exception {
        var server =
                start(strategy, exchange -> "Hello " + exchange.getRequestURI().getPath());
        var response = send(request(server, "/world"));
        assertEquals(200, response.statusCode());
        assertEquals("Hello /world", response.body());
        assertEquals("text/plain; charset=utf-8", header(response, "Content-Type"));
        assertEquals("12", header(response, "Content-Length"));
    }

    @AllStrategies
    void sendsUtf8(ThreadStrategy strategy) throws Exception {
        String text = "Grüße, 世界 \uD83C\uDF0D";
        var response = send(request(start(strategy, exchange -> text), "/"));
        assertEquals(text, response.body());
        assertEquals(
                Integer.toString(text.getBytes(StandardCharsets.UTF_8).length), header(response, "Content-Length"));
    }

    @AllStrategies
    void keepsTheConnectionAfterEveryResponse(ThreadStrategy strategy) throws Exception {
        try (var log = new LogLines()) {
            var server =
                    start(strategy, exchange -> switch (exchange.getRequestURI().getPath()) {
                        case "/empty" -> "";
                        case "/fail" -> throw new IllegalStateException("on purpose");
                        default -> connection(exchange);
                    });
            String first = send(request(server, "/")).body();
            assertEquals("", send(request(server, "/empty")).body());
            assertEquals(200, send(request(server, "/").HEAD()).statusCode());
            assertEquals(500, send(request(server, "/fail")).statusCode());
            // a body that the handler does not read
            assertEquals(
                    first,
                    send(request(server, "/").POST(BodyPublishers.ofString("x".repeat(20_000))))
                            .body());
            assertEquals(first, send(request(server, "/")).body());
            assertEquals(1, log.with(": on purpose").size());
        }
    }

    @AllStrategies
    void theResponseToHeadHasNoBodyButItsLength(ThreadStrategy strategy) throws Exception {
        var server = start(strategy, exchange -> "Hello");
        var response = send(request(server, "/").HEAD());
        assertEquals("", response.body());
        assertEquals("5", header(response, "Content-Length"));
    }

    @AllStrategies
    void anEmptyTextIsAnEmptyBody(ThreadStrategy strategy) throws Exception {
        var response = send(request(start(strategy, exchange -> ""), "/"));
        assertEquals(200, response.statusCode());
        assertEquals("", response.body());
        assertEquals("0", header(response, "Content-Length"));
    }

    @AllStrategies
    void anExceptionOfAHandlerIsLoggedOnceAndAnswered(ThreadStrategy strategy) throws Exception {
        for (Throwable failure : new Throwable[] {
            new IllegalStateException("on purpose"), new Exception("on purpose"), new AssertionError("on purpose")
        }) {
            try (var log = new LogLines()) {
                var server = start(strategy, exchange -> {
                    switch (failure) {
                        case Exception e -> throw e;
                        case Error e -> throw e;
                        default -> throw new IllegalArgumentException();
                    }
                });
                var response = send(request(server, "/path"));
                assertEquals(500, response.statusCode());
                assertEquals("Internal Server Error", response.body());
                server.close();
                assertEquals(
                        1,
                        log.with("Actor " + server.name() + ", exchange with /", " failed to handle GET /path")
                                .size());
                assertEquals(1, log.with(": on purpose").size());
            }
        }
    }

    /** Whether it declared the length of the response or sends it in chunks. */
    @AllStrategies
    void anIncompleteResponseIsDetectable(ThreadStrategy strategy) throws Exception {
        for (long length : new long[] {10, 0}) {
            try (var log = new LogLines()) {
                var server = start(strategy, exchange -> {
                    exchange.sendResponseHeaders(200, length);
                    exchange.getResponseBody().write(new byte[] {'h', 'a', 'l', 'f'});
                    exchange.getResponseBody().flush();
                    throw new IllegalStateException("on purpose");
                });
                assertThrows(IOException.class, () -> send(request(server, "/")));
                server.close();
                assertEquals(1, log.with(": on purpose").size(), log.text());
            }
        }
    }

    @AllStrategies
    void aHandlerThatReturnsNullIsLoggedAndAnswered(ThreadStrategy strategy) throws Exception {
        try (var log = new LogLines()) {
            var server = start(strategy, exchange -> null);
            assertEquals(500, send(request(server, "/path")).statusCode());
            assertEquals(
                    1,
                    log.with("Actor " + server.name() + ", ", ": the handler of GET /path returned null")
                            .size());
        }
    }

    @AllStrategies
    void aHandlerCanSendItsOwnResponse(ThreadStrategy strategy) throws Exception {
        try (var log = new LogLines()) {
            var server = start(strategy, exchange -> {
                exchange.sendResponseHeaders(201, 2);
                exchange.getResponseBody().write(new byte[] {'o', 'k'});
                return null;
            });
            var response = send(request(server, "/"));
            assertEquals(201, response.statusCode());
            assertEquals("ok", response.body());
            server.close();
            assertEquals(List.of(), log.with("Actor " + server.name()));
        }
    }

    @AllStrategies
    void theHandlersContentTypeIsKeptExceptForAnError(ThreadStrategy strategy) throws Exception {
        try (var log = new LogLines()) {
            var server = start(strategy, exchange -> {
                exchange.getResponseHeaders().set("Content-Type", "application/json");
                if (exchange.getRequestURI().getPath().equals("/fail")) {
                    throw new IllegalStateException("on purpose");
                }
                return "{}";
            });
            assertEquals("application/json", header(send(request(server, "/")), "Content-Type"));
            assertEquals("text/plain; charset=utf-8", header(send(request(server, "/fail")), "Content-Type"));
            assertEquals(1, log.with(": on purpose").size());
        }
    }

    @AllStrategies
    void handlesRequestsAtTheSameTime(ThreadStrategy strategy) throws Exception {
        int n = 20;
        var all = new CyclicBarrier(n);
        var server = start(strategy, exchange -> {
            all.await();
            return exchange.getRequestURI().getPath();
        });
        List<CompletableFuture<HttpResponse<String>>> responses = IntStream.range(0, n)
                .mapToObj(i -> client.sendAsync(request(server, "/" + i).build(), BodyHandlers.ofString()))
                .toList();
        for (int i = 0; i < n; i++) {
            assertEquals("/" + i, responses.get(i).get().body());
        }
    }

    @Test
    void aTakenPortIsReportedClearly() throws Exception {
        try (var taken = new ServerSocket(0)) {
            int port = taken.getLocalPort();
            var e = assertThrows(
                    UncheckedIOException.class,
                    () -> HttpServerActor.start(
                            system.actor().strategy(ThreadStrategy.virtual()),
                            port,
                            HttpRoutes.all(exchange -> ""),
                            HttpOptions.defaults()));
            assertTrue(e.getMessage().startsWith("cannot listen on port " + port + ": "), e.getMessage());
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 65536})
    void aPortOutOfRangeIsReportedClearly(int port) {
        var e = assertThrows(
                IllegalArgumentException.class,
                () -> HttpServerActor.start(
                        system.actor().strategy(ThreadStrategy.virtual()),
                        port,
                        HttpRoutes.all(exchange -> ""),
                        HttpOptions.defaults()));
        assertTrue(e.getMessage().contains("port " + port), e.getMessage());
    }

    @Test
    void keepsTheJvmAliveWithEveryStrategy() {
        assertTrue(start(ThreadStrategy.virtual(), exchange -> "").port() > 0);
        var thread = Thread.getAllStackTraces().keySet().stream()
                .filter(t -> t.getName().equals("fibry-http"))
                .findAny()
                .orElseThrow();
        assertFalse(thread.isDaemon());
    }
}
