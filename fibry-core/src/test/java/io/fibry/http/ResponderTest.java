package io.fibry.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpExchange;
import io.fibry.sockets.CauseLog;
import io.fibry.sockets.ClientLog;
import io.fibry.testing.LogLines;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class ResponderTest {

    private static final HttpOptions OPTIONS = HttpOptions.defaults();

    private final ExchangeGate gate = new ExchangeGate(1);

    private void handle(HttpExchange exchange, HttpRoutes routes) throws IOException {
        var log = LoggerFactory.getLogger(HttpServerActor.class);
        var deadlines = new ClientDeadlines(OPTIONS);
        new Responder("test", routes, OPTIONS, gate, deadlines, new ClientLog(log), new CauseLog(log)).handle(exchange);
    }

    @Test
    void streamsAreNeverNull() throws Exception {
        assertEchoes(HttpRoutes.all(e -> new String(e.getRequestBody().readAllBytes(), StandardCharsets.UTF_8)));
    }

    @Test
    void streamsAreNeverNullForAHandlerThatRespondsItself() throws Exception {
        assertEchoes(HttpRoutes.none().handle("POST", "/", ReplyHandler.of(e -> {
            e.sendResponseHeaders(200, 0);
            e.getRequestBody().transferTo(e.getResponseBody());
        })));
    }

    private void assertEchoes(HttpRoutes routes) throws IOException {
        var exchange = new FakeExchange("hello");
        handle(exchange, routes);
        assertEquals("hello", exchange.sent.toString(StandardCharsets.UTF_8));
        assertEquals(200, exchange.getResponseCode());
    }

    @Test
    void aClientExceptionIsFoundAmongTheCauses() throws Exception {
        var exchange = new FakeExchange("hello");
        var cause = new ClientException(413, "on purpose");
        try (var log = new LogLines()) {
            handle(exchange, HttpRoutes.all(e -> {
                throw new IllegalStateException(new IllegalStateException(cause));
            }));
            assertEquals(413, exchange.getResponseCode());
            assertEquals(0, log.with("failed to handle").size());
        }
    }

    /** The method is sent by the client, and is in the log before it has been checked. */
    @Test
    void aMethodForgesNoLineOfTheLog() {
        for (String hostile : new String[] {"\n", "\r", "\u001b[2J", "\u0085", "\0"}) {
            var exchange = new FakeExchange("hello") {
                @Override
                public String getRequestMethod() {
                    return "GET" + hostile + "[main] ERROR forged";
                }

                @Override
                public void sendResponseHeaders(int code, long length) {
                    throw new UncheckedIOException(new IOException("reset"));
                }
            };
            try (var log = new LogLines()) {
                assertThrows(IOException.class, () -> handle(exchange, HttpRoutes.none()));
                assertEquals(1, log.with("GET\\u00", "[main] ERROR forged").size(), log.text());
                assertEquals(
                        0,
                        log.text()
                                .lines()
                                .filter(line -> line.startsWith("[main] ERROR forged"))
                                .count());
            }
        }
    }

    @Test
    void anExchangeThatFailsAtOnceLeaves() {
        assertLeaves(new AssertionError("on purpose"));
    }

    @Test
    void anExchangeThatRunsOutOfMemoryLeaves() {
        assertLeaves(new OutOfMemoryError("on purpose"));
    }

    private void assertLeaves(Error failure) {
        var broken = new FakeExchange("hello") {
            @Override
            public int getResponseCode() {
                throw failure;
            }
        };
        try (var log = new LogLines()) {
            assertThrows(IOException.class, () -> handle(broken, HttpRoutes.none()));
            assertEquals(
                    1,
                    log.with("Actor test, exchange with localhost/127.0.0.1:1234 failed to handle POST /")
                            .size());
        }
        assertTrue(gate.enter(), "the room for one request is free again");
    }
}
