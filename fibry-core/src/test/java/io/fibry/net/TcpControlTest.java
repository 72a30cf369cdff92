package io.fibry.net;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.ActorInterruptedException;
import io.fibry.ActorStoppedException;
import io.fibry.ActorSystem;
import io.fibry.ThreadStrategy;
import io.fibry.testing.AllStrategies;
import io.fibry.testing.Client;
import io.fibry.testing.NoLeftovers;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.extension.ExtendWith;

/** The operations of an owner on a running acceptor. */
@ExtendWith(NoLeftovers.class)
@Timeout(value = 120, threadMode = ThreadMode.SEPARATE_THREAD)
class TcpControlTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final ActorSystem system = ActorSystem.create();

    @AfterEach
    void close() {
        system.close();
    }

    private TcpAcceptor echo(ThreadStrategy strategy) {
        return TcpAcceptor.start(system.actor().strategy(strategy), 0, TcpAcceptorTest::echo, TcpOptions.defaults());
    }

    @AllStrategies
    void aSuspendedAcceptorServesOnlyItsExistingConnections(ThreadStrategy strategy) throws Exception {
        var acceptor = echo(strategy);
        try (var client = new Client(acceptor.port())) {
            assertEquals("a", client.send("a").receive(1));
            acceptor.suspend();
            acceptor.suspend();
            assertThrows(ConnectException.class, () -> new Client(acceptor.port()).close());
            assertEquals(1, acceptor.connections());
            assertEquals("b", client.send("b").receive(1));
            assertFalse(acceptor.awaitConnections(0, Duration.ZERO));
            assertThrows(IllegalArgumentException.class, () -> acceptor.awaitConnections(0, Duration.ofSeconds(-1)));
            client.end().receiveAll();
            assertTrue(acceptor.awaitConnections(0, PATIENCE));
        }
        acceptor.resume();
        acceptor.resume();
        try (var client = new Client(acceptor.port())) {
            assertEquals("c", client.send("c").end().receiveAll());
        }
        assertEquals(new TcpStats(2, 0, 0, 0), acceptor.stats());
    }

    @Test
    void aSuspendedAcceptorReleasesItsPort() throws Exception {
        var acceptor = echo(ThreadStrategy.virtual());
        acceptor.suspend();
        try (var other = new ServerSocket(acceptor.port())) {
            var e = assertThrows(UncheckedIOException.class, acceptor::resume);
            assertTrue(e.getMessage().startsWith("cannot listen on port " + other.getLocalPort()), e.getMessage());
        }
        acceptor.resume();
        try (var client = new Client(acceptor.port())) {
            assertEquals("x", client.send("x").end().receiveAll());
        }
    }

    @Test
    void aSuspendedAcceptorCanBeStopped() {
        var acceptor = echo(ThreadStrategy.virtual());
        acceptor.suspend();
        acceptor.stop();
        assertTrue(acceptor.waitForExit(PATIENCE));
        assertTrue(assertThrows(ActorStoppedException.class, acceptor::resume)
                .getMessage()
                .contains(acceptor.name()));
        assertThrows(ActorStoppedException.class, acceptor::suspend);
    }

    @Test
    void anAcceptorServesAfterManySuspensions() throws Exception {
        var acceptor = echo(ThreadStrategy.virtual());
        for (int i = 0; i < 100; i++) {
            acceptor.suspend();
            acceptor.resume();
        }
        try (var client = new Client(acceptor.port())) {
            assertEquals("x", client.send("x").end().receiveAll());
        }
        assertEquals(0, acceptor.stats().failedAccepts());
    }

    @AllStrategies
    void theLastOfManyConnectionsWakesAllWaiters(ThreadStrategy strategy) throws Exception {
        int n = 50;
        var arrived = new CountDownLatch(n);
        var go = new CountDownLatch(1);
        var acceptor = TcpAcceptor.start(
                system.actor().strategy(strategy),
                0,
                socket -> {
                    arrived.countDown();
                    go.await();
                },
                TcpOptions.defaults());
        for (int i = 0; i < n; i++) {
            new Client(acceptor.port()).close();
        }
        arrived.await();
        assertEquals(n, acceptor.connections());
        assertTrue(acceptor.awaitConnections(n, Duration.ZERO));
        var waited =
                CompletableFuture.supplyAsync(() -> acceptor.awaitConnections(0, PATIENCE), Thread::startVirtualThread);
        go.countDown();
        assertTrue(waited.join());
        assertEquals(0, acceptor.connections());
    }

    @Test
    void aWaitForConnectionsCanBeInterrupted() throws Exception {
        var acceptor = echo(ThreadStrategy.virtual());
        try (var client = new Client(acceptor.port())) {
            assertEquals("a", client.send("a").receive(1));
            Thread.currentThread().interrupt();
            assertThrows(ActorInterruptedException.class, () -> acceptor.awaitConnections(0, PATIENCE));
            assertTrue(Thread.interrupted());
        }
        assertThrows(IllegalArgumentException.class, () -> acceptor.awaitConnections(-1, PATIENCE));
    }

    @Test
    void reportsItsAddressAndPort() {
        var loopback = InetAddress.getLoopbackAddress();
        var options = TcpOptions.defaults().bindAddress(loopback);
        var acceptor =
                TcpAcceptor.start(system.actor().strategy(ThreadStrategy.virtual()), 0, TcpAcceptorTest::echo, options);
        assertEquals(loopback, acceptor.address().getAddress());
        assertEquals(acceptor.port(), acceptor.address().getPort());
        assertTrue(echo(ThreadStrategy.virtual()).address().getAddress().isAnyLocalAddress());
    }
}
