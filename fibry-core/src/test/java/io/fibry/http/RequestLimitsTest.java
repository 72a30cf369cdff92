package io.fibry.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.ActorSystem;
import io.fibry.ThreadStrategy;
import io.fibry.testing.AllStrategies;
import io.fibry.testing.NoLeftovers;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** One client does not use up the requests of others, and the health of a full server can be queried. */
@ExtendWith(NoLeftovers.class)
@Timeout(120)
class RequestLimitsTest {

    private final ActorSystem system = ActorSystem.create();
    private final Semaphore entered = new Semaphore(0);
    private final CountDownLatch release = new CountDownLatch(1);
    private final HttpRoutes routes = HttpRoutes.none()
            .get("/wait", exchange -> {
                entered.release();
                return "" + release.await(60, TimeUnit.SECONDS);
            })
            .get("/", exchange -> "")
            .health("/health", () -> true);

    @AfterEach
    void close() {
        release.countDown();
        system.close();
    }

    private HttpServerActor start(ThreadStrategy strategy, HttpOptions options) {
        return HttpServerActor.start(system.actor().strategy(strategy), 0, routes, options);
    }

    private static InetAddress loopback(int last) throws IOException {
        return InetAddress.getByAddress(new byte[] {127, 0, 0, (byte) last});
    }

    private static Socket send(HttpServerActor server, int client, String path) throws IOException {
        var socket = new Socket(InetAddress.getLoopbackAddress(), server.port(), loopback(client), 0);
        socket.setSoTimeout(60_000);
        socket.getOutputStream()
                .write(("GET " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
                        .getBytes(StandardCharsets.UTF_8));
        return socket;
    }

    private static String answer(Socket socket) throws IOException {
        try (socket) {
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static String status(HttpServerActor server, int client, String path) throws IOException {
        return answer(send(server, client, path)).substring(9, 12);
    }

    @AllStrategies
    void aFullServerReportsItsHealth(ThreadStrategy strategy) throws Exception {
        var server = start(strategy, HttpOptions.defaults().maxRequests(1));
        try (var waiting = send(server, 1, "/wait")) {
            assertTrue(entered.tryAcquire(60, TimeUnit.SECONDS));
            assertEquals("503", status(server, 1, "/"));
            assertEquals("200", status(server, 1, "/health"));
            assertEquals(1, server.stats().refused());
            release.countDown();
            assertTrue(answer(waiting).startsWith("HTTP/1.1 200 "));
        }
    }

    @AllStrategies
    void oneAddressDoesNotTakeTheRequestsOfOthers(ThreadStrategy strategy) throws Exception {
        var server = start(strategy, HttpOptions.defaults().maxPerAddress(2));
        try (var one = send(server, 1, "/wait");
                var two = send(server, 1, "/wait")) {
            assertTrue(entered.tryAcquire(2, 60, TimeUnit.SECONDS));
            String refusal = answer(send(server, 1, "/"));
            assertTrue(refusal.startsWith("HTTP/1.1 429 "), refusal);
            assertTrue(refusal.contains("Retry-after: 1"), refusal);
            assertEquals("200", status(server, 2, "/"));
            assertEquals("200", status(server, 1, "/health"));
            assertEquals(1, server.stats().refused());
            release.countDown();
            answer(one);
            answer(two);
        }
        awaitNoRequests(server);
        assertEquals("200", status(server, 1, "/"));
    }

    /** The server releases the permits after the response. */
    private static void awaitNoRequests(HttpServerActor server) {
        while (server.stats().inWork() > 0) {
            Thread.onSpinWait();
        }
    }

    @Test
    void healthChecksHaveALimitToo() {
        var gate = new ExchangeGate(1);
        assertTrue(gate.enter());
        for (int i = 0; i < ExchangeGate.RESERVED; i++) {
            assertFalse(gate.enter());
            assertTrue(gate.enterReserved());
        }
        assertFalse(gate.enterReserved());
        assertEquals(1 + ExchangeGate.RESERVED, gate.inside());
        gate.leave();
        assertFalse(gate.enter());
        assertTrue(gate.enterReserved());
    }

    @Test
    void aGateWithoutALimitHasNoOverflow() {
        assertTrue(new ExchangeGate(Integer.MAX_VALUE).enterReserved());
    }

    @Test
    void aClosedGateLetsNoHealthCheckIn() {
        var gate = new ExchangeGate(1);
        gate.close();
        assertFalse(gate.enterReserved());
    }

    @Test
    void theLimitMustBePositive() {
        var options = HttpOptions.defaults();
        assertThrows(IllegalArgumentException.class, () -> options.maxPerAddress(0));
    }
}
