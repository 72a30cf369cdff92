package io.fibry.net;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.ActorStoppedException;
import io.fibry.ActorSystem;
import io.fibry.StopMode;
import io.fibry.ThreadStrategy;
import io.fibry.testing.AllStrategies;
import io.fibry.testing.Client;
import io.fibry.testing.NoLeftovers;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every test waits for ends that would not come, or come only after the patience of {@code close}, if a stop forgot one. */
@ExtendWith(NoLeftovers.class)
@Timeout(value = 120, threadMode = ThreadMode.SEPARATE_THREAD) // a close that forgets something waits for ever
class TcpStopTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final CountDownLatch inside = new CountDownLatch(1);

    private void echo(Socket socket) throws IOException {
        inside.countDown();
        socket.getInputStream().transferTo(socket.getOutputStream());
    }

    private TcpAcceptor start(ActorSystem system, ThreadStrategy strategy, TcpOptions options) {
        return TcpAcceptor.start(system, strategy, 0, this::echo, options);
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
    void letsConnectionsFinishAndAcceptsNoMore(ThreadStrategy strategy) throws Exception {
        try (var system = ActorSystem.create();
                var acceptor = start(system, strategy, TcpOptions.defaults());
                var client = new Client(acceptor.port())) {
            awaitInside();
            acceptor.stop();
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThrows(IOException.class, () -> new Client(acceptor.port()).close()));
            assertFalse(acceptor.exit().isDone());
            assertEquals("finished", client.send("finished").end().receiveAll());
            assertTrue(acceptor.waitForExit(PATIENCE));
            assertTrue(acceptor.exit().join().isNormal());
            assertPortIsFree(acceptor.port());
            assertThrows(ActorStoppedException.class, () -> acceptor.execute(() -> {}));
        }
    }

    @AllStrategies
    void aDiscardEndsAHandlerThatWaitsForItsClient(ThreadStrategy strategy) throws Exception {
        try (var system = ActorSystem.create();
                var acceptor = start(system, strategy, TcpOptions.defaults());
                var client = new Client(acceptor.port())) {
            awaitInside();
            acceptor.stop(StopMode.DISCARD);
            assertTrue(acceptor.waitForExit(PATIENCE));
            assertThrowsOrEnds(client);
            assertPortIsFree(acceptor.port());
        }
    }

    @AllStrategies
    void closeEndsAHandlerThatWaitsForItsClient(ThreadStrategy strategy) throws Exception {
        try (var system = ActorSystem.create();
                var acceptor = start(system, strategy, TcpOptions.defaults());
                var client = new Client(acceptor.port())) {
            awaitInside();
            acceptor.close(Duration.ofMillis(1));
            assertTrue(acceptor.exit().isDone());
            assertThrowsOrEnds(client);
        }
    }

    @AllStrategies
    void theSystemsCloseEndsIt(ThreadStrategy strategy) throws Exception {
        var system = ActorSystem.create();
        var acceptor = start(system, strategy, TcpOptions.defaults());
        try (var client = new Client(acceptor.port())) {
            awaitInside();
            system.close(Duration.ofMillis(1));
            assertTrue(acceptor.exit().isDone());
            assertThrowsOrEnds(client);
            assertPortIsFree(acceptor.port());
        }
    }

    @AllStrategies
    void wakesAnAcceptorThatHasNoPermitLeft(ThreadStrategy strategy) throws Exception {
        var one = TcpOptions.builder().maxConnections(1).build();
        try (var system = ActorSystem.create();
                var acceptor = start(system, strategy, one);
                var client = new Client(acceptor.port())) {
            awaitInside();
            acceptor.stop();
            var rest = new CompletableFuture<Thread>();
            assertThrows(ActorStoppedException.class, () -> acceptor.execute(() -> rest.complete(null)));
            assertEquals("finished", client.send("finished").end().receiveAll());
            assertTrue(acceptor.waitForExit(PATIENCE));
        }
    }

    @AllStrategies
    void theLoopEndsWhileItsOnlyConnectionGoesOn(ThreadStrategy strategy) throws Exception {
        var one = TcpOptions.builder().maxConnections(1).build();
        try (var system = ActorSystem.create();
                var acceptor = start(system, strategy, one);
                var client = new Client(acceptor.port())) {
            awaitInside();
            var after = new CountDownLatch(1);
            acceptor.execute(after::countDown); // runs when the accept loop has ended
            acceptor.stop();
            assertTrue(after.await(60, TimeUnit.SECONDS));
            assertFalse(acceptor.exit().isDone());
            client.end().receiveAll();
            assertTrue(acceptor.waitForExit(PATIENCE));
        }
    }

    @ParameterizedTest
    @EnumSource(StopMode.class)
    void aStopRightAfterTheStartLeavesNothing(StopMode mode) throws Exception {
        try (var system = ActorSystem.create()) {
            for (int i = 0; i < 50; i++) {
                var acceptor = start(system, ThreadStrategy.virtual(), TcpOptions.defaults());
                acceptor.stop(mode);
                assertTrue(acceptor.waitForExit(PATIENCE));
                assertPortIsFree(acceptor.port());
            }
        }
    }

    @AllStrategies
    void aStopAmongManyClientsLeavesNothing(ThreadStrategy strategy) throws Exception {
        try (var system = ActorSystem.create();
                var acceptor = start(system, strategy, TcpOptions.defaults())) {
            int port = acceptor.port();
            var clients = Thread.ofPlatform().name("clients").start(() -> connectUntilRefused(port));
            awaitInside();
            acceptor.stop(StopMode.DISCARD);
            assertTrue(acceptor.waitForExit(PATIENCE));
            clients.join();
        }
    }

    private static void connectUntilRefused(int port) {
        try {
            while (true) {
                new Client(port).close();
            }
        } catch (IOException refused) {
            assertTrue(refused.getMessage() != null);
        }
    }

    /** Whether the server's end came in order or as a reset depends on what the client had sent. */
    private static void assertThrowsOrEnds(Client client) {
        try {
            assertEquals("", client.receiveAll());
        } catch (IOException e) {
            assertFalse(e instanceof java.net.SocketTimeoutException, e.toString());
        }
    }
}
