package io.fibry.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.ActorSystem;
import io.fibry.StopMode;
import io.fibry.ThreadStrategy;
import io.fibry.testing.AllStrategies;
import io.fibry.testing.Client;
import io.fibry.testing.LogLines;
import io.fibry.testing.NoLeftovers;
import java.io.IOException;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@ExtendWith(NoLeftovers.class)
@Timeout(value = 120, threadMode = ThreadMode.SEPARATE_THREAD) // a close that misses a connection would never end
class HttpStopTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String GET = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n";

    private final ActorSystem system = ActorSystem.create();
    private final CountDownLatch inside = new CountDownLatch(1);
    private final CountDownLatch go = new CountDownLatch(1);

    @AfterEach
    void close() {
        go.countDown();
        system.close();
    }

    private HttpServerActor start(ThreadStrategy strategy, ExchangeHandler handler) {
        ExchangeHandler seen = exchange -> {
            inside.countDown();
            return handler.handle(exchange);
        };
        return HttpServerActor.start(
                system.actor().strategy(strategy), 0, HttpRoutes.all(seen), HttpOptions.defaults());
    }

    private void awaitInside() throws InterruptedException {
        assertTrue(inside.await(60, TimeUnit.SECONDS));
    }

    private static void assertPortIsFree(int port) throws IOException {
        try (var socket = new ServerSocket(port)) {
            assertEquals(port, socket.getLocalPort());
        }
    }

    @AllStrategies
    void finishesRunningRequestsAndRefusesOthers(ThreadStrategy strategy) throws Exception {
        var server = start(strategy, exchange -> {
            go.await();
            return "finished";
        });
        try (var working = new Client(server.port());
                var late = new Client(server.port())) {
            working.send(GET);
            awaitInside();
            server.stop();
            String refusal = late.send(GET).receiveAll();
            assertTrue(refusal.startsWith("HTTP/1.1 503 "), refusal);
            assertTrue(refusal.contains("Connection: close\r\n"), refusal);
            assertFalse(server.exit().isDone());
            go.countDown();
            String answer = working.receiveAll();
            assertTrue(answer.startsWith("HTTP/1.1 200 "), answer);
            assertTrue(answer.endsWith("\r\n\r\nfinished"), answer);
        }
        assertTrue(server.waitForExit(PATIENCE));
        assertTrue(server.exit().join().isNormal());
        assertPortIsFree(server.port());
    }

    @AllStrategies
    void theFirstCompletedRequestDoesNotStopTheServer(ThreadStrategy strategy) throws Exception {
        var both = new CountDownLatch(2);
        var first = new CountDownLatch(1);
        var server = start(strategy, exchange -> {
            both.countDown();
            boolean isFirst = exchange.getRequestURI().getPath().equals("/first");
            (isFirst ? first : go).await();
            return "finished";
        });
        try (var one = new Client(server.port());
                var two = new Client(server.port())) {
            one.send(GET.replaceFirst("/", "/first"));
            two.send(GET);
            assertTrue(both.await(60, TimeUnit.SECONDS));
            server.stop();
            first.countDown();
            assertTrue(one.receiveAll().endsWith("finished"));
            for (int i = 0; i < 20; i++) {
                try (var late = new Client(server.port())) {
                    assertTrue(late.send(GET).receiveAll().startsWith("HTTP/1.1 503 "));
                }
            }
            go.countDown();
            assertTrue(two.receiveAll().endsWith("finished"));
        }
        assertTrue(server.waitForExit(PATIENCE));
    }

    @AllStrategies
    void waitsForNoClientThatHasNotSentItsRequest(ThreadStrategy strategy) throws Exception {
        var server = start(strategy, exchange -> "");
        try (var idle = new Client(server.port());
                var slow = new Client(server.port());
                var keptAlive = new Client(server.port())) {
            slow.send("GET / HT");
            keptAlive.send(GET);
            keptAlive.receive("HTTP/1.1 200 OK".length());
            server.stop();
            assertTrue(server.waitForExit(PATIENCE));
            assertPortIsFree(server.port());
            idle.end();
        }
    }

    @AllStrategies
    void aDiscardEndsAHandlerThatWaitsForItsClient(ThreadStrategy strategy) throws Exception {
        try (var log = new LogLines()) {
            var server = start(
                    strategy,
                    exchange -> Integer.toString(exchange.getRequestBody().read()));
            try (var client = new Client(server.port())) {
                client.send("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n\r\n");
                awaitInside();
                server.stop(StopMode.DISCARD);
                assertTrue(server.waitForExit(PATIENCE));
                assertPortIsFree(server.port());
                assertEquals(1, log.with(": POST / was cut short").size());
            }
        }
    }

    @AllStrategies
    void closeInterruptsAWaitingHandler(ThreadStrategy strategy) throws Exception {
        try (var log = new LogLines()) {
            var server = start(strategy, exchange -> {
                new CountDownLatch(1).await();
                return "";
            });
            try (var client = new Client(server.port())) {
                client.send(GET);
                awaitInside();
                boolean unused = server.close(Duration.ofMillis(1)); // forces the stop
                assertTrue(server.close(PATIENCE));
                assertTrue(server.exit().isDone());
                assertEquals(1, log.with("failed to handle GET /").size());
            }
        }
    }

    @AllStrategies
    void theCloseOfTheSystemStopsTheServer(ThreadStrategy strategy) throws Exception {
        var server = start(strategy, exchange -> "");
        system.close();
        assertTrue(server.exit().isDone());
        assertPortIsFree(server.port());
    }

    @ParameterizedTest
    @EnumSource(StopMode.class)
    void aStopRightAfterTheStartLeavesNothing(StopMode mode) throws Exception {
        for (int i = 0; i < 50; i++) {
            var server = start(ThreadStrategy.virtual(), exchange -> "");
            server.stop(mode);
            assertTrue(server.waitForExit(PATIENCE));
            assertPortIsFree(server.port());
        }
    }

    @Test
    void executedCodeRunsAfterTheLastRequest() throws Exception {
        var server = start(ThreadStrategy.virtual(), exchange -> "");
        var ran = new CountDownLatch(1);
        server.execute(ran::countDown);
        assertEquals(1, ran.getCount());
        server.close();
        assertEquals(0, ran.getCount());
    }

    @Test
    void aClosedConnectionIsLoggedOnce() throws Exception {
        try (var log = new LogLines()) {
            var server = start(ThreadStrategy.virtual(), exchange -> {
                go.await();
                return "x".repeat(10_000_000);
            });
            try (var client = new Client(server.port())) {
                client.send(GET);
                awaitInside();
                client.reset();
            }
            go.countDown();
            server.close();
            assertEquals(
                    1,
                    log.with("Actor " + server.name() + ", ", ": the client of GET / got no response")
                            .size());
        }
    }
}
