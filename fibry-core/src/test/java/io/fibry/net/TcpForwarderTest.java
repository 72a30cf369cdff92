package io.fibry.net;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.ActorSystem;
import io.fibry.StopMode;
import io.fibry.ThreadStrategy;
import io.fibry.testing.AllStrategies;
import io.fibry.testing.Await;
import io.fibry.testing.Client;
import io.fibry.testing.LogLines;
import io.fibry.testing.NoLeftovers;
import io.fibry.testing.ThreadKinds;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(NoLeftovers.class)
@Timeout(value = 120, threadMode = ThreadMode.SEPARATE_THREAD)
class TcpForwarderTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final ActorSystem system = ActorSystem.create();

    @AfterEach
    void close() {
        system.close();
    }

    private TcpAcceptor target(ConnectionHandler handler) {
        return TcpAcceptor.start(system.actor().strategy(ThreadStrategy.virtual()), 0, handler, TcpOptions.defaults());
    }

    private TcpAcceptor forwarder(ThreadStrategy strategy, int port) {
        return forwarder(strategy, port, TcpOptions.defaults());
    }

    private TcpAcceptor forwarder(ThreadStrategy strategy, int port, TcpOptions options) {
        var target = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        return TcpForwarder.start(system.actor().strategy(strategy), 0, target, options);
    }

    /**
     * The target answers at the end of the input: the end must be forwarded, and must not end the opposite direction.
     */
    @AllStrategies
    void aHalfClosedClientGetsItsAnswer(ThreadStrategy strategy) throws Exception {
        var target = target(socket -> {
            byte[] all = socket.getInputStream().readAllBytes();
            socket.getOutputStream().write((all.length + " bytes").getBytes(UTF_8));
        });
        try (var client = new Client(forwarder(strategy, target.port()).port())) {
            assertEquals(
                    "100000 bytes",
                    client.send("0123456789".repeat(10_000)).end().receiveAll());
        }
    }

    @AllStrategies
    void aHalfClosedTargetStillGetsTheDataOfTheClient(ThreadStrategy strategy) throws Exception {
        var received = new CompletableFuture<String>();
        var target = target(socket -> {
            socket.getOutputStream().write('x');
            socket.shutdownOutput();
            byte[] all = socket.getInputStream().readAllBytes();
            received.complete(new String(all, UTF_8));
        });
        try (var client = new Client(forwarder(strategy, target.port()).port())) {
            assertEquals("x", client.receiveAll());
            client.send("later").end();
            assertEquals("later", received.join());
        }
    }

    @ThreadKinds
    void aClientThatDoesNotReadBlocksTheTarget(ThreadStrategy strategy) throws Exception {
        var sent = new AtomicLong();
        byte[] piece = new byte[1 << 16];
        long all = 200L << 20;
        var target = target(socket -> {
            while (sent.get() < all) {
                socket.getOutputStream().write(piece);
                sent.addAndGet(piece.length);
            }
        });
        try (var client = new Client(forwarder(strategy, target.port()).port())) {
            client.receive(1);
            var before = new AtomicLong(-1); // when the target has been idle for a while, all buffers are full
            await().pollInterval(Duration.ofMillis(200))
                    .atMost(PATIENCE)
                    .until(() -> before.getAndSet(sent.get()) == sent.get());
            assertTrue(sent.get() < all / 2, sent + " bytes");
            assertEquals(all - 1, client.skipAll());
        }
    }

    @AllStrategies
    void aResetOfTheClientIsAResetForTheTarget(ThreadStrategy strategy) throws Exception {
        var failure = new CompletableFuture<Throwable>();
        var inside = new CountDownLatch(1);
        var target = target(socket -> {
            socket.getInputStream().read();
            inside.countDown();
            failure.complete(assertThrows(
                    SocketException.class, () -> socket.getInputStream().read()));
        });
        var forwarder = forwarder(strategy, target.port());
        var client = new Client(forwarder.port());
        client.send("x");
        inside.await();
        client.reset();
        assertEquals("Connection reset", failure.join().getMessage());
        assertTrue(forwarder.awaitConnections(0, PATIENCE));
    }

    @AllStrategies
    void aResetOfTheTargetIsAResetForTheClient(ThreadStrategy strategy) throws Exception {
        try (var log = new LogLines()) {
            var target = target(socket -> {
                socket.getInputStream().read();
                Sockets.reset(socket);
            });
            var forwarder = forwarder(strategy, target.port());
            try (var client = new Client(forwarder.port())) {
                assertThrows(SocketException.class, () -> client.send("x").receiveAll());
            }
            assertTrue(forwarder.awaitConnections(0, PATIENCE));
            forwarder.close();
            assertEquals(1, log.with("INFO", forwarder.name()).size(), log.text());
            assertEquals(List.of(), log.with("\tat "));
        }
    }

    /** The copier of one direction has ended already, and the broken one is the other. */
    @AllStrategies
    void aResetOfTheTargetIsAResetForAHalfClosedClient(ThreadStrategy strategy) throws Exception {
        try (var log = new LogLines()) {
            var target = target(socket -> {
                assertEquals(-1, socket.getInputStream().read());
                Sockets.reset(socket);
            });
            var forwarder = forwarder(strategy, target.port());
            try (var client = new Client(forwarder.port())) {
                client.end();
                assertThrows(SocketException.class, client::receiveAll);
            }
            assertTrue(forwarder.awaitConnections(0, PATIENCE));
            forwarder.close();
            assertEquals(
                    1, log.with("INFO", forwarder.name(), "the answers failed").size(), log.text());
            assertEquals(List.of(), log.with("\tat "));
        }
    }

    /** The stop must not cut off the answer, and must not wait for a client that sends nothing more. */
    @ThreadKinds
    void aStopWaitsForTheAnswerAndNotForTheNextRequest(ThreadStrategy strategy) throws Exception {
        var inside = new CountDownLatch(1);
        var go = new CountDownLatch(1);
        var target = target(socket -> {
            assertEquals('x', socket.getInputStream().read());
            inside.countDown();
            go.await();
            socket.getOutputStream().write("answer".getBytes(UTF_8));
            assertEquals(-1, socket.getInputStream().read());
        });
        var forwarder = forwarder(strategy, target.port());
        try (var idle = new Client(forwarder.port());
                var client = new Client(forwarder.port())) {
            client.send("x");
            inside.await();
            forwarder.stop();
            go.countDown();
            assertEquals("answer", client.receiveAll());
            assertEquals("", idle.receiveAll());
            assertTrue(forwarder.waitForExit(PATIENCE));
        }
    }

    @Test
    void aTargetThatIsNotThereIsOneLineInTheLog() throws Exception {
        int nobody;
        try (var socket = new ServerSocket(0)) {
            nobody = socket.getLocalPort();
        }
        try (var log = new LogLines()) {
            var forwarder = forwarder(ThreadStrategy.virtual(), nobody);
            try (var client = new Client(forwarder.port())) {
                assertEquals("", client.receiveAll());
            }
            forwarder.close();
            assertEquals(
                    1, log.with("INFO", "cannot be reached", "ConnectException").size(), log.text());
            assertEquals(List.of(), log.with("\tat "));
        }
    }

    @AllStrategies
    void aHardStopEndsBothSides(ThreadStrategy strategy) throws Exception {
        var failure = new CompletableFuture<IOException>();
        var inside = new CountDownLatch(1);
        var target = target(socket -> {
            socket.getInputStream().read();
            inside.countDown();
            failure.complete(assertThrows(
                    IOException.class, () -> socket.getInputStream().read()));
        });
        var forwarder = forwarder(strategy, target.port());
        try (var client = new Client(forwarder.port())) {
            client.send("x");
            inside.await();
            boolean unused =
                    forwarder.close(Duration.ofMillis(1)); // the answer is outstanding, so the connection is busy
            assertTrue(forwarder.close(Await.LIMIT));
            assertTrue(forwarder.exit().isDone());
            assertEquals("Connection reset", failure.join().getMessage());
        }
    }

    /** {@link ConnectionActivityTest} shows that activity in one direction is enough. */
    @AllStrategies
    void aConnectionWithoutDataInBothDirectionsIsReset(ThreadStrategy strategy) throws Exception {
        var target = target(socket -> {
            socket.getOutputStream().write('x');
            socket.getInputStream().read();
        });
        var options = TcpOptions.defaults().idleTimeout(Duration.ofMillis(300));
        var forwarder = forwarder(strategy, target.port(), options);
        try (var client = new Client(forwarder.port())) {
            assertThrows(SocketException.class, client::receiveAll);
            assertEquals(1, forwarder.stats().timedOut());
        }
    }

    /**
     * A target that ignores the end of its input, and a client that ignores its own: each half-closed connection ends.
     */
    @AllStrategies
    void aHalfClosedConnectionWithoutDataIsReset(ThreadStrategy strategy) throws Exception {
        var atTarget = new CompletableFuture<Throwable>();
        var silent = target(socket -> {
            assertEquals(-1, socket.getInputStream().read());
            atTarget.complete(assertThrows(IOException.class, () -> writeForever(socket)));
        });
        var options = TcpOptions.defaults().idleTimeout(Duration.ofMillis(300));
        var go = new CountDownLatch(1);
        var deaf = target(socket -> go.await()); // never reads the end, never answers
        var forwarder = forwarder(strategy, deaf.port(), options);
        try (var client = new Client(forwarder.port())) {
            client.end();
            assertThrows(SocketException.class, client::receiveAll);
            assertTrue(forwarder.awaitConnections(0, PATIENCE)); // the copier of the answers ends too
            assertEquals(1, forwarder.stats().timedOut());
        }
        go.countDown();
        var download = forwarder(strategy, silent.port(), options);
        try (var client = new Client(download.port())) {
            client.end(); // and reads nothing
            await().atMost(PATIENCE).until(() -> download.stats().timedOut() == 1);
            assertTrue(
                    atTarget.join() instanceof SocketException, atTarget.join().toString());
        }
    }

    private static void writeForever(Socket socket) throws IOException {
        byte[] piece = new byte[1 << 16];
        while (true) {
            socket.getOutputStream().write(piece);
        }
    }

    /** The target accepts no more, so the forwarder waits in a write to it, and not in a read. */
    @AllStrategies
    void aTargetThatReadsNothingIsStalled(ThreadStrategy strategy) throws Exception {
        var go = new CountDownLatch(1);
        var deaf = target(socket -> go.await());
        var options = TcpOptions.defaults().idleTimeout(Duration.ofMillis(300));
        var forwarder = forwarder(strategy, deaf.port(), options);
        try (var client = new Client(forwarder.port())) {
            byte[] piece = new byte[1 << 16];
            assertThrows(SocketException.class, () -> {
                while (true) {
                    client.send(piece);
                }
            });
            assertTrue(forwarder.awaitConnections(0, PATIENCE));
            assertEquals(1, forwarder.stats().timedOut());
        }
        go.countDown();
    }

    /** The copier of the answers waits for the target only; closing the client's socket does not wake it. */
    @AllStrategies
    void aHardStopEndsAHalfClosedConnectionWithoutAnInterrupt(ThreadStrategy strategy) throws Exception {
        var go = new CountDownLatch(1);
        var deaf = target(socket -> {
            assertEquals(-1, socket.getInputStream().read());
            go.countDown();
            new CountDownLatch(1).await();
        });
        var forwarder = forwarder(strategy, deaf.port());
        try (var client = new Client(forwarder.port())) {
            client.end();
            go.await();
            forwarder.stop(StopMode.DISCARD);
            assertTrue(forwarder.waitForExit(PATIENCE));
            assertThrows(SocketException.class, client::receiveAll);
        }
        deaf.stop(StopMode.INTERRUPT);
    }
}
