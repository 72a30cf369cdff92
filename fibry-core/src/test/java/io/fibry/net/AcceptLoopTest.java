package io.fibry.net;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
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
import java.net.Socket;
import java.net.SocketException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(NoLeftovers.class)
@Timeout(60)
class AcceptLoopTest {

    /** Fails a number of times before it accepts. */
    private static final class Failing extends ServerSocket {

        private final Exception failure;
        private int failures;

        Failing(int failures, Exception failure) throws IOException {
            super(0);
            this.failures = failures;
            this.failure = failure;
        }

        @Override
        public Socket accept() throws IOException {
            if (failures-- > 0) {
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
    void anAcceptThatFailsOnceIsNoReasonToPause() throws Exception {
        assertEquals(0, linesAfter(1, new SocketException("one bad connection")));
    }

    @Test
    void acceptsThatGoOnFailingAreOneLineInTheLog() throws Exception {
        assertEquals(1, linesAfter(4, new SocketException("Too many open files")));
    }

    @Test
    void soAreExceptionsThatNobodyExpected() throws Exception {
        assertEquals(1, linesAfter(3, new IllegalStateException("unexpected")));
    }

    private static int linesAfter(int failures, Exception failure) throws Exception {
        try (var log = new LogLines();
                var system = ActorSystem.create();
                var listener = new Failing(failures, failure)) {
            // One permit: a failure that kept it would be the end.
            var loop = new AcceptLoop(listener, s -> s.getOutputStream().write('x'), 1);
            var thread = Thread.ofPlatform().start(() -> loop.run("test", system.actor()));
            try (var client = new Client(listener.getLocalPort())) {
                assertEquals("x", client.receiveAll());
            }
            loop.stop();
            thread.join();
            return log.with("cannot accept connections").size();
        }
    }

    @Test
    void aStopWakesTheLoopFromItsPause() throws Exception {
        try (var log = new LogLines();
                var system = ActorSystem.create();
                var listener = new Failing(Integer.MAX_VALUE, new SocketException("Too many open files"))) {
            var loop = new AcceptLoop(listener, s -> {}, 1);
            var thread = Thread.ofPlatform().start(() -> loop.run("test", system.actor()));
            loop.stop();
            thread.join();
            assertTrue(log.with("cannot accept connections").size() <= 1);
        }
    }

    @AllStrategies
    void aPermitIsReturnedOnce(ThreadStrategy strategy) throws Exception {
        var permits = new Semaphore(0);
        var inside = new CountDownLatch(1);
        var go = new CountDownLatch(1);
        try (var log = new LogLines();
                var system = ActorSystem.create();
                var listener = new ServerSocket(0);
                var client = new Client(listener.getLocalPort())) {
            var parent = system.actor().newActor((String ignored) -> {});
            var connection = new Connection(
                    "test",
                    socket -> {
                        inside.countDown();
                        go.await();
                        throw new AssertionError("on purpose");
                    },
                    permits);
            connection.accept(listener, system.actor().strategy(strategy).childOf(parent));
            inside.await();
            assertEquals(0, permits.availablePermits());
            parent.stop(StopMode.DISCARD);
            go.countDown();
            parent.waitForExit();
            assertEquals(1, permits.availablePermits());
            assertEquals(1, log.with(": on purpose").size());
            assertEquals("", client.receiveAll());
        }
    }

    @Test
    void aConnectionWhoseActorCannotStartLeavesNothing() throws Exception {
        var permits = new Semaphore(0);
        var system = ActorSystem.create();
        var actors = system.actor();
        system.close();
        try (var listener = new ServerSocket(0);
                var client = new Client(listener.getLocalPort())) {
            var connection = new Connection("test", socket -> {}, permits);
            assertThrows(IllegalStateException.class, () -> connection.accept(listener, actors));
            assertEquals(1, permits.availablePermits());
            assertEquals("", client.receiveAll());
        }
    }
}
