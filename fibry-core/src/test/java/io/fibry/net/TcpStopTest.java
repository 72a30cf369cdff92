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
import io.fibry.testing.Await;
import io.fibry.testing.Client;
import io.fibry.testing.NoLeftovers;
import java.io.ByteArrayOutputStream;
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

/**
 * Every test waits for ends that would never occur, or only after the deadline of {@code close}, if a stop missed one.
 */
@ExtendWith(NoLeftovers.class)
@Timeout(value = 120, threadMode = ThreadMode.SEPARATE_THREAD) // a close that misses a connection would never end
class TcpStopTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final CountDownLatch inside = new CountDownLatch(1);

    /** Is busy from the first byte to the last: it answers when it has read them all. */
    private void answer(Socket socket) throws IOException {
        var in = socket.getInputStream();
        var request = new ByteArrayOutputStream();
        request.write(in.read());
        inside.countDown();
        in.transferTo(request);
        socket.getOutputStream().write(request.toByteArray());
    }

    private TcpAcceptor start(ActorSystem system, ThreadStrategy strategy, TcpOptions options) {
        return TcpAcceptor.start(system.actor().strategy(strategy), 0, this::answer, options);
    }

    private void startRequest(Client client) throws Exception {
        client.send("f");
        awaitInside();
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
            startRequest(client);
            acceptor.stop();
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThrows(IOException.class, () -> new Client(acceptor.port()).close()));
            assertFalse(acceptor.exit().isDone());
            assertEquals("finished", client.send("inished").end().receiveAll());
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
            startRequest(client);
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
            startRequest(client);
            boolean unused = acceptor.close(Duration.ofMillis(1)); // forces the stop
            assertTrue(acceptor.close(Await.LIMIT));
            assertTrue(acceptor.exit().isDone());
            assertThrowsOrEnds(client);
        }
    }

    /** Answers two bytes with two, again and again, and the end with a dot. */
    private void answerTwoByTwo(Socket socket) throws IOException {
        var in = socket.getInputStream();
        for (int c = in.read(); c >= 0; c = in.read()) {
            inside.countDown();
            socket.getOutputStream().write(new byte[] {(byte) c, (byte) in.read()});
        }
        socket.getOutputStream().write('.');
    }

    /** Only the stop of an idle connection can end this: a drain has no deadline. */
    @AllStrategies
    void idleConnectionsEndAtOnce(ThreadStrategy strategy) throws Exception {
        try (var system = ActorSystem.create();
                var acceptor = TcpAcceptor.start(
                        system.actor().strategy(strategy), 0, this::answerTwoByTwo, TcpOptions.defaults());
                var fresh = new Client(acceptor.port());
                var used = new Client(acceptor.port())) {
            assertEquals("fi", used.send("fi").receive(2));
            await().atMost(PATIENCE).until(() -> acceptor.connections() == 2);
            acceptor.stop();
            assertEquals(".", fresh.receiveAll());
            assertEquals(".", used.receiveAll());
            assertTrue(acceptor.waitForExit(PATIENCE));
            assertPortIsFree(acceptor.port());
        }
    }

    @AllStrategies
    void aConnectionEndsWhenItBecomesIdle(ThreadStrategy strategy) throws Exception {
        try (var system = ActorSystem.create();
                var acceptor = TcpAcceptor.start(
                        system.actor().strategy(strategy), 0, this::answerTwoByTwo, TcpOptions.defaults());
                var client = new Client(acceptor.port())) {
            startRequest(client);
            acceptor.stop();
            assertEquals("fi.", client.send("i").receiveAll());
            assertTrue(acceptor.waitForExit(PATIENCE));
        }
    }

    /** The client sends the first request and half of the second one at once: one read of the socket takes both. */
    @AllStrategies
    void aConnectionIsNotIdleIfItsNextRequestWasInTheBuffer(ThreadStrategy strategy) throws Exception {
        try (var system = ActorSystem.create();
                var acceptor = TcpAcceptor.start(
                        system.actor().strategy(strategy), 0, this::answerTwoByTwo, TcpOptions.defaults());
                var client = new Client(acceptor.port())) {
            assertEquals("fi", client.send("fin").receive(2));
            acceptor.stop();
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThrows(IOException.class, () -> new Client(acceptor.port()).close()));
            assertEquals("ni.", client.send("i").receiveAll());
            assertTrue(acceptor.waitForExit(PATIENCE));
        }
    }

    /** The handler waits in a read all the time, and another thread writes its answer after the stop. */
    @AllStrategies
    void aConnectionAnsweredByAnotherThreadEndsWhenItBecomesIdle(ThreadStrategy strategy) throws Exception {
        var answer = new CountDownLatch(1);
        ConnectionHandler handler = socket -> {
            var out = socket.getOutputStream();
            assertEquals('x', socket.getInputStream().read());
            try (var system = ActorSystem.create()) {
                system.actor().runOnce(() -> {
                    answer.await();
                    out.write('y');
                });
                inside.countDown();
                assertEquals(-1, socket.getInputStream().read());
            }
        };
        try (var system = ActorSystem.create();
                var acceptor = TcpAcceptor.start(system.actor().strategy(strategy), 0, handler, TcpOptions.defaults());
                var client = new Client(acceptor.port())) {
            client.send("x");
            awaitInside();
            acceptor.stop();
            answer.countDown();
            assertEquals("y", client.receiveAll());
            assertTrue(acceptor.waitForExit(PATIENCE));
        }
    }

    @AllStrategies
    void theCloseOfTheSystemStopsTheServer(ThreadStrategy strategy) throws Exception {
        var system = ActorSystem.create();
        var acceptor = start(system, strategy, TcpOptions.defaults());
        try (var client = new Client(acceptor.port())) {
            startRequest(client);
            boolean unused = system.close(Duration.ofMillis(1)); // forces the stop
            assertTrue(system.close(Await.LIMIT));
            assertTrue(acceptor.exit().isDone());
            assertThrowsOrEnds(client);
            assertPortIsFree(acceptor.port());
        }
    }

    @AllStrategies
    void refusesNewConnectionsWhileItsOnlyConnectionContinues(ThreadStrategy strategy) throws Exception {
        var one = TcpOptions.defaults().maxConnections(1);
        try (var system = ActorSystem.create();
                var acceptor = start(system, strategy, one);
                var client = new Client(acceptor.port())) {
            startRequest(client);
            acceptor.stop();
            var rest = new CompletableFuture<Thread>();
            assertThrows(ActorStoppedException.class, () -> acceptor.execute(() -> rest.complete(null)));
            assertEquals("finished", client.send("inished").end().receiveAll());
            assertTrue(acceptor.waitForExit(PATIENCE));
        }
    }

    @AllStrategies
    void theLoopEndsWhileItsOnlyConnectionContinues(ThreadStrategy strategy) throws Exception {
        var one = TcpOptions.defaults().maxConnections(1);
        try (var system = ActorSystem.create();
                var acceptor = start(system, strategy, one);
                var client = new Client(acceptor.port())) {
            startRequest(client);
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
                new Client(port).send("x").close();
            }
        } catch (IOException refused) {
            assertTrue(refused.getMessage() != null);
        }
    }

    /** Whether the server closed in order or with a reset depends on the data that the client had sent. */
    private static void assertThrowsOrEnds(Client client) {
        try {
            assertEquals("", client.receiveAll());
        } catch (IOException e) {
            assertFalse(e instanceof java.net.SocketTimeoutException, e.toString());
        }
    }
}
