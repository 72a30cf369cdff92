package io.fibry.net;

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
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.extension.ExtendWith;

/** The limits that each server has for itself. */
@ExtendWith(NoLeftovers.class)
@Timeout(value = 120, threadMode = ThreadMode.SEPARATE_THREAD)
class HttpLimitsTest {

    private static final String HEAD = " / HTTP/1.1\r\nHost: localhost\r\n";
    private static final String GET = "GET" + HEAD + "\r\n";

    private final ActorSystem system = ActorSystem.create();
    private final CountDownLatch inside = new CountDownLatch(1);
    private final CountDownLatch go = new CountDownLatch(1);

    @AfterEach
    void close() {
        go.countDown();
        system.close();
    }

    private HttpServerActor start(ThreadStrategy strategy, HttpOptions.Builder options, ExchangeHandler handler) {
        return HttpServerActor.start(system, strategy, 0, HttpRoutes.all(handler), options.build());
    }

    private static String answer(HttpServerActor server, String request) throws IOException {
        try (var client = new Client(server.port())) {
            return client.send(request).receiveAll();
        }
    }

    private static void assertStatus(int status, String response) {
        assertTrue(response.startsWith("HTTP/1.1 " + status + " "), response);
    }

    private static String body(HttpExchange exchange) throws IOException {
        return new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
    }

    @AllStrategies
    void beyondItsRequestsAServerRefusesAtOnceAndRecovers(ThreadStrategy strategy) throws Exception {
        var server = start(strategy, HttpOptions.builder().maxRequests(1), exchange -> {
            inside.countDown();
            go.await();
            return "done";
        });
        try (var first = new Client(server.port())) {
            first.send("GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
            assertTrue(inside.await(60, TimeUnit.SECONDS));
            for (int i = 0; i < 10; i++) {
                String refusal = answer(server, GET);
                assertStatus(503, refusal);
                assertTrue(refusal.contains("\r\nRetry-after: 1\r\n"), refusal);
            }
            go.countDown();
            assertStatus(200, first.receiveAll());
        }
        String later = answer(server, "GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
        assertStatus(200, later);
    }

    @AllStrategies
    void aBodyThatSaysItIsTooLongIsNotRead(ThreadStrategy strategy) throws Exception {
        var server = start(strategy, HttpOptions.builder().maxBodyBytes(10), exchange -> body(exchange));
        assertStatus(413, answer(server, "POST" + HEAD + "Content-Length: 11\r\n\r\n12345678901"));
        assertStatus(413, answer(server, "POST" + HEAD + "Content-Length: 1234567890123456789\r\n\r\n1"));
        String fits = answer(server, "POST" + HEAD + "Connection: close\r\nContent-Length: 10\r\n\r\n1234567890");
        assertStatus(200, fits);
        assertTrue(fits.endsWith("\r\n\r\n1234567890"), fits);
    }

    @AllStrategies
    void aBodyThatGetsTooLongIsCutOff(ThreadStrategy strategy) throws Exception {
        try (var log = new LogLines()) {
            var server = start(strategy, HttpOptions.builder().maxBodyBytes(10), exchange -> body(exchange));
            String chunked = "POST" + HEAD + "Transfer-Encoding: chunked\r\n\r\n";
            assertStatus(413, answer(server, chunked + "6\r\n123456\r\n5\r\n12345\r\n0\r\n\r\n"));
            String fits = answer(server, chunked + "6\r\n123456\r\n4\r\n1234\r\n0\r\n\r\n");
            assertStatus(200, fits);
            assertTrue(fits.endsWith("\r\n\r\n1234561234"), fits);
            server.close();
            assertEquals(
                    1, log.with("POST / was cut short", "longer than 10 bytes").size());
        }
    }

    @AllStrategies
    void tooManyOrTooLongHeadersAreRefused(ThreadStrategy strategy) throws Exception {
        var server = start(strategy, HttpOptions.builder().maxHeaders(5).maxHeaderBytes(1000), exchange -> "");
        assertStatus(431, answer(server, "GET" + HEAD + "A: 1\r\n".repeat(5) + "\r\n"));
        assertStatus(431, answer(server, "GET" + HEAD + "A: " + "1".repeat(1000) + "\r\n\r\n"));
        assertStatus(200, answer(server, "GET" + HEAD + "Connection: close\r\n" + "A: 1\r\n".repeat(3) + "\r\n"));
    }

    @AllStrategies
    void aBodyHasToBeThereInTime(ThreadStrategy strategy) throws Exception {
        try (var log = new LogLines()) {
            var server = start(
                    strategy, HttpOptions.builder().requestTimeout(Duration.ofMillis(100)), exchange -> body(exchange));
            String response = answer(server, "POST" + HEAD + "Content-Length: 5\r\n\r\n12");
            assertFalse(response.startsWith("HTTP/1.1 200"), response);
            server.close();
            assertEquals(
                    1,
                    log.with("POST / was cut short: the client has not sent the body in time")
                            .size());
        }
    }

    @AllStrategies
    void aResponseHasToBeTaken(ThreadStrategy strategy) throws Exception {
        try (var log = new LogLines()) {
            var ended = new CountDownLatch(1);
            var server = start(strategy, HttpOptions.builder().writeTimeout(Duration.ofMillis(100)), exchange -> {
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
            assertEquals(
                    1,
                    log.with("GET / was cut short: the response was not taken").size());
        }
    }

    @AllStrategies
    void aResponseThatIsTakenSlowlyIsSentToTheEnd(ThreadStrategy strategy) throws Exception {
        int length = 20_000_000;
        var server = start(
                strategy, HttpOptions.builder().writeTimeout(Duration.ofSeconds(30)), exchange -> "x".repeat(length));
        String response = answer(server, "GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
        assertEquals(length, response.length() - response.indexOf("\r\n\r\n") - 4);
    }

    @Test
    void optionsSayWhatIsWrong() {
        var e = assertThrows(
                IllegalArgumentException.class,
                () -> HttpOptions.builder().maxRequests(0).build());
        assertEquals("maxRequests has to be at least 1, and this one is 0", e.getMessage());
        e = assertThrows(
                IllegalArgumentException.class,
                () -> HttpOptions.builder().idleTimeout(Duration.ZERO).build());
        assertEquals("idleTimeout has to be positive, and this one is PT0S", e.getMessage());
        e = assertThrows(
                IllegalArgumentException.class,
                () -> HttpOptions.builder().maxBodyBytes(-1).build());
        assertEquals("maxBodyBytes has to be at least 0, and this one is -1", e.getMessage());
    }
}
