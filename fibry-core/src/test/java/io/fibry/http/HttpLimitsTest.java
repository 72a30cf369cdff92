package io.fibry.http;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpExchange;
import io.fibry.ActorSystem;
import io.fibry.ThreadStrategy;
import io.fibry.testing.AllStrategies;
import io.fibry.testing.Client;
import io.fibry.testing.LogLines;
import io.fibry.testing.NoLeftovers;
import io.fibry.testing.ThreadKinds;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * The limits that each server enforces by itself. The permits for requests depend on how the strategy runs a handler:
 * these tests run on all strategies. The limits of bodies, heads and times are enforced by the server's threads and its
 * timer, whatever the strategy: these tests run on a virtual and on a platform thread. {@link HttpServerActorTest} and
 * {@link HttpStopTest} show on all strategies that handlers get their requests and send their responses.
 */
@ExtendWith(NoLeftovers.class)
@Timeout(value = 120, threadMode = ThreadMode.SEPARATE_THREAD)
class HttpLimitsTest {

    private static final String HEAD = " / HTTP/1.1\r\nHost: localhost\r\n";
    private static final String GET = "GET" + HEAD + "\r\n";
    private static final String LAST_GET = "GET" + HEAD + "Connection: close\r\n\r\n";

    private final ActorSystem system = ActorSystem.create();
    private final CountDownLatch inside = new CountDownLatch(1);
    private final CountDownLatch go = new CountDownLatch(1);

    /** The first server of a JVM sets some limits for all; a limit below would be too strict for the others. */
    @BeforeAll
    static void startTheFirstServerWithDefaults() {
        try (var system = ActorSystem.create()) {
            var server = HttpServerActor.start(
                    system.actor().strategy(ThreadStrategy.virtual()), 0, HttpRoutes.none(), HttpOptions.defaults());
            assertTrue(server.port() > 0);
        }
    }

    @AfterEach
    void close() {
        go.countDown();
        system.close();
    }

    private HttpServerActor start(ThreadStrategy strategy, HttpOptions options, ExchangeHandler handler) {
        return HttpServerActor.start(system.actor().strategy(strategy), 0, HttpRoutes.all(handler), options);
    }

    private static String answer(HttpServerActor server, String request) throws IOException {
        try (var client = new Client(server.port())) {
            return client.send(request).receiveAll();
        }
    }

    private static void assertStatus(int status, String response) {
        assertTrue(hasStatus(status, response), response);
    }

    private static boolean hasStatus(int status, String response) {
        return response.startsWith("HTTP/1.1 " + status + " ");
    }

    /**
     * Returns the response as soon as there is room: a client has its complete response before the server's handler
     * returns.
     */
    private static String answerWithRoom(HttpServerActor server, String request) {
        return await().dontCatchUncaughtExceptions() // the error thrown on purpose becomes one
                .atMost(Duration.ofSeconds(60))
                .until(() -> answer(server, request), response -> !hasStatus(503, response));
    }

    private static void assertRoom(HttpServerActor server) {
        assertStatus(200, answerWithRoom(server, LAST_GET));
    }

    private static String body(HttpExchange exchange) throws IOException {
        return new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
    }

    @AllStrategies
    void aServerAtItsRequestLimitRefusesAtOnceAndRecovers(ThreadStrategy strategy) throws Exception {
        var server = start(strategy, HttpOptions.defaults().maxRequests(1), exchange -> {
            inside.countDown();
            go.await();
            return "done";
        });
        try (var first = new Client(server.port())) {
            first.send(LAST_GET);
            assertTrue(inside.await(60, TimeUnit.SECONDS));
            for (int i = 0; i < 10; i++) {
                String refusal = answer(server, GET);
                assertStatus(503, refusal);
                assertTrue(refusal.toLowerCase(Locale.ROOT).contains("\r\nretry-after: 1\r\n"), refusal);
            }
            go.countDown();
            assertStatus(200, first.receiveAll());
        }
        assertRoom(server);
    }

    /** With room for one, because then none may get lost. */
    @AllStrategies
    void everyEndOfARequestLeavesRoomForTheNext(ThreadStrategy strategy) throws Exception {
        try (var log = new LogLines()) {
            var server = start(strategy, HttpOptions.defaults().maxRequests(1), exchange -> {
                switch (exchange.getRequestURI().getPath()) {
                    case "/exception" -> throw new Exception("on purpose");
                    case "/error" -> throw new AssertionError("on purpose");
                    case "/none" -> {
                        return null;
                    }
                    case "/half" -> {
                        exchange.sendResponseHeaders(200, 10);
                        throw new IllegalStateException("on purpose");
                    }
                    case "/header" -> {
                        exchange.getResponseHeaders().put("A", new ArrayList<>());
                        exchange.getResponseHeaders().get("A").add("b\r\nc: d");
                    }
                    case "/no-header" -> {
                        exchange.getResponseHeaders().put("A", new ArrayList<>());
                        exchange.getResponseHeaders().get("A").add(null);
                    }
                    default -> exchange.getRequestBody().readAllBytes();
                }
                return "fine";
            });
            for (String path : new String[] {"/exception", "/error", "/none", "/half", "/header", "/no-header"}) {
                String response = answerWithRoom(server, LAST_GET.replaceFirst("/", path));
                assertFalse(response.contains("fine"), response);
                assertRoom(server);
            }
            assertStatus(400, answerWithRoom(server, "GET / HTTP/1.1\r\n\r\n"));
            assertRoom(server);
            await().atMost(Duration.ofSeconds(60))
                    .until(
                            () -> { // the first one may find no room yet
                                new Client(server.port())
                                        .send("POST" + HEAD + "Content-Length: 10\r\n\r\n12345")
                                        .reset();
                                return !log.with("POST / was cut short").isEmpty();
                            });
            assertRoom(server);
            server.close();
            assertEquals(3, log.with(": on purpose").size(), log.text());
        }
    }

    @ThreadKinds
    void aBodyWithATooLargeContentLengthIsNotRead(ThreadStrategy strategy) throws Exception {
        var handled = new AtomicInteger();
        var server = start(strategy, HttpOptions.defaults().maxBodyBytes(10), exchange -> {
            handled.incrementAndGet();
            return body(exchange);
        });
        assertStatus(413, answer(server, "POST" + HEAD + "Content-Length: 11\r\n\r\n12345678901"));
        assertStatus(413, answer(server, "POST" + HEAD + "Content-Length: 1234567890123456789\r\n\r\n1"));
        assertEquals(0, handled.get());
        String fits = answer(server, "POST" + HEAD + "Connection: close\r\nContent-Length: 10\r\n\r\n1234567890");
        assertStatus(200, fits);
        assertTrue(fits.endsWith("\r\n\r\n1234567890"), fits);
    }

    /** A connection that is closed before the client has sent all is reset, and the response may be lost with it. */
    @ThreadKinds
    void aClientWithALongUnreadBodyGetsTheResponse(ThreadStrategy strategy) throws Exception {
        String post = "POST" + HEAD + "Content-Length: 200000\r\n\r\n" + "x".repeat(200_000);
        var generous = start(strategy, HttpOptions.defaults(), exchange -> "done");
        String responses = answer(generous, post + LAST_GET);
        assertStatus(200, responses);
        assertEquals(2, responses.split("\r\n\r\ndone", -1).length - 1, responses);
        var strict = start(strategy, HttpOptions.defaults().maxBodyBytes(10), exchange -> "done");
        assertStatus(413, answer(strict, post));
    }

    @ThreadKinds
    void aBodyThatGetsTooLongIsCutOff(ThreadStrategy strategy) throws Exception {
        try (var log = new LogLines()) {
            var server = start(strategy, HttpOptions.defaults().maxBodyBytes(10), exchange -> body(exchange));
            String chunked = "POST" + HEAD + "Transfer-Encoding: chunked\r\n\r\n";
            String tooLarge = answer(server, chunked + "6\r\n123456\r\n5\r\n12345\r\n0\r\n\r\n");
            assertStatus(413, tooLarge);
            assertTrue(tooLarge.endsWith("\r\n\r\nContent Too Large"), tooLarge);
            String fits = answer(server, chunked + "6\r\n123456\r\n4\r\n1234\r\n0\r\n\r\n");
            assertStatus(200, fits);
            assertTrue(fits.endsWith("\r\n\r\n1234561234"), fits);
            server.close();
            assertEquals(
                    1, log.with("POST / was cut short", "longer than 10 bytes").size());
        }
    }

    @ThreadKinds
    void tooManyOrTooLongHeadersAreRefused(ThreadStrategy strategy) throws Exception {
        var server = start(strategy, HttpOptions.defaults().maxHeaders(5).maxHeaderBytes(1000), exchange -> "");
        assertStatus(431, answer(server, "GET" + HEAD + "A: 1\r\n".repeat(5) + "\r\n"));
        assertStatus(431, answer(server, "GET" + HEAD + "A: " + "1".repeat(1000) + "\r\n\r\n"));
        assertStatus(200, answer(server, "GET" + HEAD + "Connection: close\r\n" + "A: 1\r\n".repeat(3) + "\r\n"));
    }

    @ThreadKinds
    void aBodyMustArriveWithinTheTimeout(ThreadStrategy strategy) throws Exception {
        try (var log = new LogLines()) {
            var server = start(
                    strategy,
                    HttpOptions.defaults().requestTimeout(Duration.ofMillis(100)),
                    exchange -> body(exchange));
            String response = answer(server, "POST" + HEAD + "Content-Length: 5\r\n\r\n12");
            assertFalse(response.startsWith("HTTP/1.1 200"), response);
            server.close();
            assertEquals(
                    1,
                    log.with("POST / was cut short: the client has not sent the body in time")
                            .size());
        }
    }

    /** Closing a body reads the rest of it, though not with every server. */
    @ThreadKinds
    void aClosedBodyMustArriveWithinTheTimeout(ThreadStrategy strategy) throws Exception {
        try (var log = new LogLines()) {
            var options = HttpOptions.defaults().requestTimeout(Duration.ofMillis(100));
            var server = start(strategy, options, exchange -> {
                exchange.getRequestBody().close();
                return "";
            });
            String response = answer(server, "POST" + HEAD + "Content-Length: 5\r\n\r\n12");
            server.close();
            int cut = log.with("POST / was cut short: the client has not sent the body in time")
                    .size();
            assertEquals(response.startsWith("HTTP/1.1 200 ") ? 0 : 1, cut, response);
        }
    }

    @ThreadKinds
    void aResponseMustBeReadWithinTheTimeout(ThreadStrategy strategy) throws Exception {
        try (var log = new LogLines()) {
            var ended = new CountDownLatch(1);
            var server = start(strategy, HttpOptions.defaults().writeTimeout(Duration.ofMillis(100)), exchange -> {
                exchange.sendResponseHeaders(200, 1L << 40);
                try (var out = exchange.getResponseBody()) {
                    while (true) {
                        out.write(new byte[1 << 20]);
                    }
                } finally {
                    ended.countDown();
                }
            });
            try (var client = new Client(server.port())) {
                client.send(GET);
                assertTrue(ended.await(60, TimeUnit.SECONDS));
            }
            server.close();
            assertEquals(1, log.with("GET / was cut short: the ", " accepted").size(), log.text());
        }
    }

    /**
     * The server has no body stream for this response. The client sends requests continuously, and reads nothing.
     */
    @ThreadKinds
    void aHeadSentByTheHandlerMustBeReadWithinTheTimeout(ThreadStrategy strategy) throws Exception {
        try (var log = new LogLines()) {
            var routes = HttpRoutes.none()
                    .handle("GET", "/", ReplyHandler.of(exchange -> exchange.sendResponseHeaders(204, -1)));
            var options = HttpOptions.defaults().writeTimeout(Duration.ofMillis(100));
            var server = HttpServerActor.start(system.actor().strategy(strategy), 0, routes, options);
            try (var client = new Client(server.port())) {
                String requests = GET.repeat(1000);
                assertThrows(IOException.class, () -> {
                    while (true) {
                        client.send(requests);
                    }
                });
            }
            server.close();
            // a request that the server has read ahead may be logged too, if that is a second later
            assertFalse(log.with("GET / was cut short: the ", " accepted").isEmpty(), log.text());
        }
    }

    @ThreadKinds
    void aResponseThatIsTakenSlowlyIsSentToTheEnd(ThreadStrategy strategy) throws Exception {
        int length = 20_000_000;
        var server = start(
                strategy, HttpOptions.defaults().writeTimeout(Duration.ofSeconds(30)), exchange -> "x".repeat(length));
        String response = answer(server, "GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
        assertEquals(length, response.length() - response.indexOf("\r\n\r\n") - 4);
    }

    @Test
    void theDefaultsFollowTlsInWhateverOrderItIsSet() throws Exception {
        var tls = SSLContext.getDefault();
        int fits = (int) Math.min(10_000, Runtime.getRuntime().maxMemory() / (256 << 10));
        var options = HttpOptions.defaults().maxRequests(7).tls(tls);
        assertEquals(7, options.maxRequests());
        assertEquals(fits, options.maxConnections());
        assertEquals(fits, HttpOptions.defaults().tls(tls).backlog(1).maxConnections());
        assertEquals(HttpOptions.defaults().maxConnections(), options.tls(null).maxConnections());
    }

    @Test
    void invalidOptionsAreRefusedWithAReason() {
        var e = assertThrows(
                IllegalArgumentException.class, () -> HttpOptions.defaults().maxRequests(0));
        assertEquals("maxRequests must be at least 1, not 0", e.getMessage());
        e = assertThrows(
                IllegalArgumentException.class, () -> HttpOptions.defaults().idleTimeout(Duration.ZERO));
        assertEquals("idleTimeout must be positive, not PT0S", e.getMessage());
        e = assertThrows(
                IllegalArgumentException.class, () -> HttpOptions.defaults().maxBodyBytes(-1));
        assertEquals("maxBodyBytes must be at least 0, not -1", e.getMessage());
    }
}
