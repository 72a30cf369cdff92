package io.fibry.net;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.ActorSystem;
import io.fibry.ThreadStrategy;
import io.fibry.sockets.Ports;
import io.fibry.testing.AllStrategies;
import io.fibry.testing.Client;
import io.fibry.testing.LogLines;
import io.fibry.testing.NoLeftovers;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.function.Executable;

/** Limits for clients, and the service for all others. */
@ExtendWith(NoLeftovers.class)
@Timeout(120)
class TcpLimitsTest {

    private static final Duration SHORT = Duration.ofMillis(50);
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private static TcpAcceptor echo(ActorSystem system, ThreadStrategy strategy, TcpOptions options) {
        return TcpAcceptor.start(system.actor().strategy(strategy), 0, TcpAcceptorTest::echo, options);
    }

    private static void assertIsReset(Client client) {
        var e = assertThrows(IOException.class, client::receiveAll);
        assertTrue(e.getMessage().startsWith("Connection reset"), e.toString());
    }

    @AllStrategies
    void aConnectionBeyondTheLimitIsResetAndTheOthersContinue(ThreadStrategy strategy) throws Exception {
        try (var system = ActorSystem.create();
                var acceptor = echo(system, strategy, TcpOptions.defaults().maxConnections(2));
                var first = new Client(acceptor.port());
                var second = new Client(acceptor.port())) {
            assertTrue(Client.isRefused(acceptor.port()));
            assertEquals(2, acceptor.connections());
            assertEquals("first", first.send("first").end().receiveAll());
            assertTrue(acceptor.awaitConnections(1, PATIENCE));
            try (var next = new Client(acceptor.port())) {
                assertEquals("next", next.send("next").end().receiveAll());
            }
            assertEquals("second", second.send("second").end().receiveAll());
            assertEquals(new TcpStats(3, 1, 0, 0), acceptor.stats());
        }
    }

    @AllStrategies
    void oneAddressGetsNoMoreThanItsShare(ThreadStrategy strategy) throws Exception {
        try (var system = ActorSystem.create();
                var acceptor = echo(system, strategy, TcpOptions.defaults().maxPerAddress(1));
                var first = new Client(acceptor.port());
                var other = Client.from("127.0.0.2", acceptor.port())) {
            assertTrue(Client.isRefused(acceptor.port()));
            assertEquals("x", other.send("x").receive(1));
            assertEquals("first", first.send("first").end().receiveAll());
            assertTrue(acceptor.awaitConnections(1, PATIENCE));
            try (var next = new Client(acceptor.port())) {
                assertEquals("next", next.send("next").end().receiveAll());
            }
            assertEquals(new TcpStats(3, 1, 0, 0), acceptor.stats());
        }
    }

    /** Repeated, since on a busy machine the grace may be over before the next connection is accepted. */
    @Test
    void aClientThatHasReadTheEndMayConnectAgain() throws Exception {
        try (var system = ActorSystem.create();
                var acceptor = TcpAcceptor.start(
                        system.actor().strategy(ThreadStrategy.virtual()),
                        0,
                        socket -> socket.getOutputStream().write('x'),
                        TcpOptions.defaults().maxConnections(1))) {
            await().atMost(PATIENCE).until(() -> {
                assertTrue(acceptor.awaitConnections(0, PATIENCE));
                try (var first = new Client(acceptor.port())) {
                    assertEquals("x", first.receiveAll());
                    return !Client.isRefused(acceptor.port()); // while the first one is open
                }
            });
        }
    }

    @AllStrategies
    void aSilentClientIsReset(ThreadStrategy strategy) throws Exception {
        try (var log = new LogLines();
                var system = ActorSystem.create();
                var acceptor = echo(system, strategy, TcpOptions.defaults().idleTimeout(SHORT));
                var client = new Client(acceptor.port())) {
            assertIsReset(client);
            assertTrue(acceptor.awaitConnections(0, PATIENCE));
            assertEquals(new TcpStats(1, 0, 0, 1), acceptor.stats());
            assertEquals(List.of(), log.with("ERROR"));
        }
    }

    @AllStrategies
    void aClientThatDoesNotReadIsReset(ThreadStrategy strategy) throws Exception {
        try (var system = ActorSystem.create();
                var acceptor = TcpAcceptor.start(
                        system.actor().strategy(strategy),
                        0,
                        socket -> socket.getOutputStream().write(new byte[100 << 20]),
                        TcpOptions.defaults().idleTimeout(SHORT));
                var client = new Client(acceptor.port())) {
            await().atMost(PATIENCE).until(() -> acceptor.stats().timedOut() == 1);
            assertTrue(acceptor.awaitConnections(0, PATIENCE));
            assertIsReset(client);
        }
    }

    /** It ends in order long after the timeout, because the handler neither reads nor writes. */
    @AllStrategies
    void aBusyHandlerIsNotInterrupted(ThreadStrategy strategy) throws Exception {
        var go = new CountDownLatch(1);
        ConnectionHandler busy = socket -> go.await();
        try (var system = ActorSystem.create();
                var acceptor = TcpAcceptor.start(
                        system.actor().strategy(strategy),
                        0,
                        busy,
                        TcpOptions.defaults().idleTimeout(SHORT));
                var client = new Client(acceptor.port())) {
            try (var silent = echo(system, strategy, TcpOptions.defaults().idleTimeout(SHORT.multipliedBy(4)));
                    var measure = new Client(silent.port())) {
                assertIsReset(measure); // ensures that more than the timeout has passed
            }
            go.countDown();
            assertEquals("", client.receiveAll());
            assertEquals(0, acceptor.stats().timedOut());
        }
    }

    @AllStrategies
    void aReadTimeoutThrowsAndTheConnectionContinues(ThreadStrategy strategy) throws Exception {
        var thrown = new CountDownLatch(1);
        ConnectionHandler patient = socket -> {
            assertThrows(
                    SocketTimeoutException.class, () -> socket.getInputStream().read());
            thrown.countDown();
            socket.setSoTimeout(0);
            socket.getOutputStream().write(socket.getInputStream().read());
        };
        try (var system = ActorSystem.create();
                var acceptor = TcpAcceptor.start(
                        system.actor().strategy(strategy),
                        0,
                        patient,
                        TcpOptions.defaults().readTimeout(SHORT));
                var client = new Client(acceptor.port())) {
            assertTrue(thrown.await(60, TimeUnit.SECONDS));
            assertEquals("x", client.send("x").receiveAll());
        }
    }

    @Test
    void theSocketsOptionsAreSet() throws Exception {
        for (boolean wanted : new boolean[] {true, false}) {
            var noDelay = new CompletableFuture<Boolean>();
            try (var system = ActorSystem.create();
                    var acceptor = TcpAcceptor.start(
                            system.actor().strategy(ThreadStrategy.virtual()),
                            0,
                            socket -> noDelay.complete(socket.getTcpNoDelay()),
                            TcpOptions.defaults().noDelay(wanted));
                    var client = new Client(acceptor.port())) {
                assertEquals("", client.receiveAll());
                assertEquals(wanted, noDelay.join());
            }
            var options = TcpOptions.defaults().reuseAddress(wanted);
            try (var listener = Listener.open(Ports.address(null, 0), options, () -> false)) {
                assertEquals(wanted, listener.getReuseAddress());
            }
        }
    }

    @Test
    void limitsAreChecked() {
        assertMessage("backlog must be at least 1", () -> TcpOptions.defaults().backlog(0));
        assertMessage(
                "maxConnections must be at least 1", () -> TcpOptions.defaults().maxConnections(0));
        assertMessage(
                "maxPerAddress must be at least 1", () -> TcpOptions.defaults().maxPerAddress(-1));
        assertMessage(
                "idleTimeout must be positive", () -> TcpOptions.defaults().idleTimeout(Duration.ZERO));
        assertMessage(
                "readTimeout must be positive", () -> TcpOptions.defaults().readTimeout(Duration.ofSeconds(-1)));
        assertMessage(
                "handshakeTimeout must be positive", () -> TcpOptions.defaults().handshakeTimeout(Duration.ZERO));
        assertEquals(10_000, TcpOptions.defaults().maxConnections());
    }

    @Test
    void optionsAreImmutable() {
        var few = TcpOptions.defaults().maxConnections(5);
        var fewer = few.maxConnections(4).idleTimeout(SHORT);
        assertEquals(5, few.maxConnections());
        assertNull(few.idleTimeout());
        assertEquals(4, fewer.maxConnections());
        assertEquals(SHORT, fewer.idleTimeout());
        assertEquals(10_000, TcpOptions.defaults().maxConnections());
    }

    private static void assertMessage(String message, Executable wither) {
        String said = assertThrows(IllegalArgumentException.class, wither).getMessage();
        assertTrue(said.startsWith(message), said);
    }

    @Test
    void keepAliveIsOnByDefault() throws Exception {
        for (boolean probe : new boolean[] {true, false}) {
            var seen = new CompletableFuture<Boolean>();
            var options = probe ? TcpOptions.defaults() : TcpOptions.defaults().keepAlive(false);
            ConnectionHandler handler = socket -> seen.complete(socket.getKeepAlive());
            try (var system = ActorSystem.create();
                    var acceptor =
                            TcpAcceptor.start(system.actor().strategy(ThreadStrategy.virtual()), 0, handler, options);
                    var client = new Client(acceptor.port())) {
                assertEquals("", client.receiveAll());
                assertEquals(probe, seen.join());
            }
        }
    }
}
