package io.fibry.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpHandler;
import io.fibry.ActorSystem;
import io.fibry.ThreadStrategy;
import io.fibry.testing.AllStrategies;
import io.fibry.testing.Client;
import io.fibry.testing.LogLines;
import io.fibry.testing.NoLeftovers;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Handlers that misuse their exchange: the client gets a response if one can still be sent, and the log names the
 * cause.
 */
@ExtendWith(NoLeftovers.class)
@Timeout(120)
class HttpHandlerFaultsTest {

    private static final byte[] HALF = {'h', 'a', 'l', 'f'};

    private final ActorSystem system = ActorSystem.create();

    @AfterEach
    void close() {
        system.close();
    }

    private HttpServerActor start(ThreadStrategy strategy, HttpRoutes routes) {
        return HttpServerActor.start(system.actor().strategy(strategy), 0, routes, HttpOptions.defaults());
    }

    private static String get(HttpServerActor server, String path) throws IOException {
        try (var client = new Client(server.port())) {
            return client.send("GET " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
                    .receiveAll();
        }
    }

    /** A status below 200 would end the request for the JDK's server, and the next response would take its place. */
    @ParameterizedTest
    @CsvSource({"103, -1", "100, -1", "199, 0", "0, -1", "-5, -1", "600, -1", "1000, -1", "200, -2"})
    void aStatusOrLengthOutOfRangeIsRefused(int status, long length) throws Exception {
        var refused = new AtomicReference<String>();
        HttpHandler handler = exchange -> {
            try {
                exchange.sendResponseHeaders(status, length);
            } catch (IllegalArgumentException e) {
                refused.set(e.getMessage());
            }
            exchange.sendResponseHeaders(202, -1);
        };
        var server = start(ThreadStrategy.virtual(), HttpRoutes.none().handle("GET", "/", ReplyHandler.of(handler)));
        assertTrue(get(server, "/").startsWith("HTTP/1.1 202 "));
        String number = Long.toString(status == 200 ? length : status);
        assertTrue(refused.get().contains(number), refused.get());
        assertEquals(status >= 100 && status < 200, refused.get().contains("informational"), refused.get());
    }

    @Test
    void aHandlerThatSendsSuchAStatusHasFailed() throws Exception {
        try (var log = new LogLines()) {
            HttpHandler handler = exchange -> exchange.sendResponseHeaders(103, -1);
            var server =
                    start(ThreadStrategy.virtual(), HttpRoutes.none().handle("GET", "/", ReplyHandler.of(handler)));
            assertTrue(get(server, "/").startsWith("HTTP/1.1 500 "));
            server.close();
            assertEquals(1, log.with("failed to handle GET /").size(), log.text());
        }
    }

    /** On a channel, an interrupted thread would close the connection instead of writing to it. */
    @AllStrategies
    void anInterruptThatAHandlerLeavesDoesNotReachTheResponse(ThreadStrategy strategy) throws Exception {
        try (var log = new LogLines()) {
            var server = start(
                    strategy,
                    HttpRoutes.none()
                            .get("/text", exchange -> {
                                Thread.currentThread().interrupt();
                                return "text";
                            })
                            .get("/fail", exchange -> {
                                Thread.currentThread().interrupt();
                                throw new IllegalStateException("on purpose");
                            })
                            .handle("GET", "/full", ReplyHandler.of(exchange -> {
                                exchange.sendResponseHeaders(200, HALF.length);
                                exchange.getResponseBody().write(HALF);
                                Thread.currentThread().interrupt();
                            })));
            assertTrue(get(server, "/text").endsWith("\r\n\r\ntext"));
            assertTrue(get(server, "/fail").startsWith("HTTP/1.1 500 "));
            assertTrue(get(server, "/full").endsWith("\r\n\r\nhalf"));
            server.close();
            assertEquals(1, log.with(": on purpose").size());
            assertEquals(List.of(), log.with("the client of"));
        }
    }

    private static final List<HttpHandler> WRONG_LENGTHS = List.of(
            exchange -> {
                exchange.sendResponseHeaders(200, 10);
                exchange.getResponseBody().write(HALF);
            },
            exchange -> {
                exchange.sendResponseHeaders(200, 10);
                try (OutputStream body = exchange.getResponseBody()) {
                    body.write(HALF[0]);
                    body.write(HALF, 1, 3);
                }
            },
            exchange -> {
                exchange.sendResponseHeaders(200, 10);
                exchange.getResponseBody().write(HALF);
                exchange.close();
            },
            exchange -> {
                exchange.sendResponseHeaders(200, 4);
                exchange.getResponseBody().write(new byte[10]);
            },
            exchange -> {
                exchange.sendResponseHeaders(200, -1);
                exchange.getResponseBody().write(HALF);
            });

    @AllStrategies
    void aWrongContentLengthIsReportedAsAFaultOfTheHandler(ThreadStrategy strategy) throws Exception {
        for (HttpHandler handler : WRONG_LENGTHS) {
            try (var log = new LogLines()) {
                var server = start(strategy, HttpRoutes.none().handle("GET", "/", ReplyHandler.of(handler)));
                String response = get(server, "/");
                server.close();
                boolean isCut = response.toLowerCase(Locale.ROOT).contains("content-length: 10\r\n"); // by Java 21
                assertTrue(isCut || !response.endsWith("half"), response);
                assertEquals(1, log.with("ERROR", "GET /").size(), log.text());
                assertTrue(log.text().contains("of 10 bytes") || log.text().contains("more than the"), log.text());
                assertEquals(List.of(), log.with("was cut short"));
            }
        }
    }

    @Test
    void theContentTypeOfAHandlerIsKeptWithEveryStatusOfItsOwn() throws Exception {
        try (var log = new LogLines()) {
            var server = start(
                    ThreadStrategy.virtual(),
                    HttpRoutes.none()
                            .handle("GET", "/created", exchange -> {
                                exchange.getResponseHeaders().set("Content-Type", "application/json");
                                return new HttpReply(201, null, "{}");
                            })
                            .get("/null", exchange -> {
                                exchange.getResponseHeaders().set("Content-Type", "application/json");
                                return null;
                            }));
            String created = get(server, "/created");
            assertTrue(created.startsWith("HTTP/1.1 201 "), created);
            assertTrue(created.contains("Content-type: application/json\r\n"), created);
            assertFalse(get(server, "/null").contains("json"));
            assertEquals(1, log.with("returned null").size());
        }
    }
}
