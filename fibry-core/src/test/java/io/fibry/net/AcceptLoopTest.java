package io.fibry.net;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import io.fibry.ActorSystem;
import io.fibry.StopMode;
import io.fibry.ThreadStrategy;
import io.fibry.testing.AllStrategies;
import io.fibry.testing.Client;
import io.fibry.testing.LogLines;
import io.fibry.testing.NoLeftovers;
import java.io.IOException;
import java.net.SocketException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(NoLeftovers.class)
@Timeout(60)
class AcceptLoopTest {

    /** Fails this number of times before it accepts. */
    private static final class Failing extends Listener {

        private final Exception failure;
        private final AtomicInteger failures;

        Failing(int failures, Exception failure) throws IOException {
            super(() -> false, false);
            bind(null);
            this.failures = new AtomicInteger(failures);
            this.failure = failure;
        }

        @Override
        public AcceptedSocket accept() throws IOException {
            if (failures.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
                switch (failure) {
                    case IOException e -> throw e;
                    case RuntimeException e -> throw e;
                    default -> throw new IllegalArgumentException(failure);
                }
            }
            return super.accept();
        }
    }

    @Test
    void oneFailureIsNoReasonToPause() throws Exception {
        assertEquals(0, linesAfter(new SocketException("one bad connection"), 1));
    }

    @Test
    void occasionalFailuresAreNoReasonToPause() throws Exception {
        assertEquals(0, linesAfter(new SocketException("one bad connection"), 1, 1, 0));
    }

    @Test
    void repeatedFailuresAreOneLineInTheLog() throws Exception {
        assertEquals(1, linesAfter(new SocketException("Too many open files"), 4));
    }

    @Test
    void aFailureWithAPermanentCauseIsOneLineInTheLog() throws Exception {
        assertEquals(1, linesAfter(new SocketException("Too many open files"), 1));
    }

    @Test
    void unexpectedExceptionsAreOneLineInTheLog() throws Exception {
        assertEquals(1, linesAfter(new IllegalStateException("unexpected"), 3));
    }

    @Test
    void failuresWithSuccessesInBetweenAreOneLineInTheLog() throws Exception {
        assertEquals(1, linesAfter(Duration.ofDays(1), new SocketException("Too many open files"), 2, 2, 1, 0));
    }

    /** Treats every success as the end of the failures. */
    private static int linesAfter(Exception failure, int... failures) throws Exception {
        return linesAfter(Duration.ZERO, failure, failures);
    }

    /** One client after the other; before each of them, or right after it, this number of accepts fails. */
    private static int linesAfter(Duration calm, Exception failure, int... failures) throws Exception {
        try (var log = new LogLines();
                var system = ActorSystem.create();
                var listener = new Failing(failures[0], failure)) {
            int clients = failures.length;
            var connections = new OpenConnections(clients, clients); // a failure that kept a permit would end the test
            var loop = loop(listener, connections, s -> s.getOutputStream().write('x'), calm);
            var thread = Thread.ofPlatform().start(() -> loop.run("test", system.actor()));
            for (int i = 0; i < clients; i++) {
                listener.failures.addAndGet(i == 0 ? 0 : failures[i]);
                try (var client = new Client(listener.getLocalPort())) {
                    assertEquals("x", client.receiveAll());
                }
            }
            loop.stop();
            thread.join();
            assertEquals(Arrays.stream(failures).sum(), connections.stats().failedAccepts());
            assertEquals(
                    calm.isZero() ? log.with("cannot accept connections").size() : 0,
                    log.with("accepts connections again").size());
            return log.with("cannot accept connections").size();
        }
    }

    private static AcceptLoop loop(Listener listener, OpenConnections connections, ConnectionHandler handler) {
        return loop(listener, connections, handler, Duration.ZERO);
    }

    private static AcceptLoop loop(
            Listener listener, OpenConnections connections, ConnectionHandler handler, Duration calm) {
        var settings = ConnectionSettings.of((socket, plain) -> handler.handle(socket), TcpOptions.defaults());
        return new AcceptLoop(settings, connections, listener, () -> fail("opens no other"), calm);
    }

    @Test
    void aStopWakesTheLoopFromItsPause() throws Exception {
        try (var log = new LogLines();
                var system = ActorSystem.create();
                var listener = new Failing(Integer.MAX_VALUE, new SocketException("Too many open files"))) {
            var loop = loop(listener, new OpenConnections(1, 1), s -> {});
            var thread = Thread.ofPlatform().start(() -> loop.run("test", system.actor()));
            await().atMost(Duration.ofSeconds(60)).until(() -> thread.getState() == Thread.State.TIMED_WAITING);
            loop.stop();
            thread.join();
            assertEquals(1, log.with("cannot accept connections").size());
        }
    }

    @Test
    void anErrorThatEndsTheLoopLeavesNoSuspensionWaiting() throws Exception {
        try (var listener = new Listener(() -> false, false) {
            @Override
            public AcceptedSocket accept() {
                throw new AssertionError("on purpose");
            }
        }) {
            listener.bind(null);
            var loop = loop(listener, new OpenConnections(1, 1), s -> {});
            var system = ActorSystem.create();
            assertThrows(AssertionError.class, () -> loop.run("test", system.actor()));
            system.close();
            var suspended = CompletableFuture.supplyAsync(loop::suspend, Thread::startVirtualThread);
            assertTrue(suspended.get(30, TimeUnit.SECONDS));
        }
    }

    @AllStrategies
    void aPermitIsReturnedOnce(ThreadStrategy strategy) throws Exception {
        var connections = new OpenConnections(10, 10);
        var inside = new CountDownLatch(1);
        var go = new CountDownLatch(1);
        try (var log = new LogLines();
                var system = ActorSystem.create();
                var listener = new Failing(0, new IOException());
                var client = new Client(listener.getLocalPort())) {
            var parent = system.actor().newActor((String ignored) -> {});
            ConnectionHandler handler = socket -> {
                inside.countDown();
                go.await();
                throw new AssertionError("on purpose");
            };
            var loop = loop(listener, connections, handler);
            var thread = Thread.ofPlatform()
                    .start(() ->
                            loop.run("test", system.actor().strategy(strategy).childOf(parent)));
            inside.await();
            assertEquals(1, connections.count());
            loop.stop();
            thread.join();
            parent.stop(StopMode.DISCARD);
            go.countDown();
            parent.waitForExit();
            assertEquals(0, connections.count());
            assertEquals(1, log.with(": on purpose").size());
            assertEquals("", client.receiveAll());
        }
    }

    @Test
    void aConnectionWhoseActorCannotStartLeavesNothing() throws Exception {
        var connections = new OpenConnections(10, 10);
        var system = ActorSystem.create();
        var actors = system.actor();
        system.close();
        try (var listener = new Failing(0, new IOException());
                var client = new Client(listener.getLocalPort())) {
            var settings = ConnectionSettings.of((socket, plain) -> {}, TcpOptions.defaults());
            var socket = listener.accept();
            assertTrue(connections.acquire(socket.getInetAddress()));
            var connection = new Connection("test", settings, connections, socket);
            assertThrows(IllegalStateException.class, () -> connection.start(actors));
            assertEquals(0, connections.count());
            assertEquals(Set.of(), connections.live());
            assertEquals("", client.receiveAll());
        }
    }
}
