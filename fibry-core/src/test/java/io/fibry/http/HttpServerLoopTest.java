package io.fibry.http;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.Actor;
import io.fibry.ActorExit;
import io.fibry.ActorSystem;
import io.fibry.Supervision;
import io.fibry.ThreadStrategy;
import io.fibry.testing.LogLines;
import io.fibry.testing.NoLeftovers;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(NoLeftovers.class)
@Timeout(120)
class HttpServerLoopTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /** Waits for a client whose time has expired, and makes the thread fail that would end the wait. */
    private static final class Waiting extends Thread {

        private final ClientDeadline deadline;
        private final CountDownLatch tried = new CountDownLatch(1);

        Waiting(ClientDeadlines deadlines) {
            deadline = deadlines.take();
        }

        @Override
        public void run() {
            var piece = deadline.beginRead(System.nanoTime());
            try {
                tried.await();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
            assertTrue(deadline.end(piece));
        }

        @Override
        public void interrupt() {
            tried.countDown();
            throw new OutOfMemoryError("on purpose");
        }
    }

    @Test
    void aFailingLoopContinues() throws Exception {
        var deadlines = new ClientDeadlines(HttpOptions.defaults());
        var gate = new ExchangeGate(1);
        var loop = new HttpServerLoop(gate, deadlines);
        JdkLimits.set(HttpOptions.defaults()); // for other tests: this may be the first server of the JVM
        var server = new RunningServer(new InetSocketAddress(0), HttpOptions.defaults(), e -> {}, Runnable::run);
        int port = server.port();
        try (var log = new LogLines();
                var system = ActorSystem.create()) {
            Actor<Void> actor = system.actor()
                    .strategy(ThreadStrategy.platform())
                    .supervision(Supervision.stop())
                    .newActor(ignored -> {});
            loop.takeOver(actor);
            loop.give(Optional.of(server));
            var waiting = new Waiting(deadlines);
            waiting.start();
            waiting.join();
            await().atMost(PATIENCE)
                    .until(() -> log.with("deadlines of clients could not be checked")
                                    .size()
                            == 1);
            deadlines.take().beginRead(System.nanoTime());
            var never = new CountDownLatch(1);
            assertThrows(InterruptedException.class, () -> never.await(60, TimeUnit.SECONDS)); // by the same loop
            assertFalse(actor.exit().isDone());
            actor.stop();
            gate.close();
            assertTrue(actor.waitForExit(PATIENCE));
        }
        try (var free = new ServerSocket(port)) {
            assertEquals(port, free.getLocalPort());
        }
    }

    /** Without its dispatcher, the JDK's server accepts connections and answers none of them. */
    @Test
    void aServerThatLosesAThreadOfItsProviderFailsAndFreesItsPort() throws Exception {
        var loop = new HttpServerLoop(new ExchangeGate(1), new ClientDeadlines(HttpOptions.defaults()));
        JdkLimits.set(HttpOptions.defaults());
        var threads = new ProviderThreads();
        var server =
                new RunningServer(threads, new InetSocketAddress(0), HttpOptions.defaults(), e -> {}, Runnable::run);
        var gate = new CountDownLatch(1);
        var runs = new AtomicInteger();
        Thread dispatcher = threads.start(() -> Thread.ofPlatform().start(() -> {
            awaitUninterruptibly(gate);
            if (runs.incrementAndGet() == 1) {
                throw new OutOfMemoryError("on purpose");
            }
        }));
        try (var log = new LogLines();
                var system = ActorSystem.create()) {
            Actor<Void> actor = system.actor()
                    .strategy(ThreadStrategy.platform())
                    .supervision(Supervision.stop())
                    .newActor(ignored -> {});
            loop.takeOver(actor);
            loop.give(Optional.of(server));
            assertFalse(actor.exit().isDone());
            gate.countDown();
            ActorExit exit = actor.exit().get(60, TimeUnit.SECONDS);
            assertEquals(ActorExit.Reason.FAILED, exit.reason());
            assertTrue(String.valueOf(exit.cause()).contains("lost a thread of its provider"), exit.toString());
            assertEquals(1, log.with("lost a thread of its provider").size());
        }
        dispatcher.join();
        assertEquals(2, runs.get());
        try (var free = new ServerSocket(server.port())) {
            assertEquals(server.port(), free.getLocalPort());
        }
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** Their failures belong to the program. */
    @Test
    void threadsThatAServerMakesLaterDoNotCount() throws Exception {
        var threads = new ProviderThreads();
        var own = new Thread(threads, () -> {
            throw new AssertionError("of a program, on purpose");
        });
        threads.start(Object::new);
        own.start();
        own.join();
        assertNull(threads.death());
    }
}
