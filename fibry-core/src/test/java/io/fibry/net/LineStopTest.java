package io.fibry.net;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.Actor;
import io.fibry.ActorSystem;
import io.fibry.StopMode;
import io.fibry.ThreadStrategy;
import io.fibry.testing.AllStrategies;
import io.fibry.testing.Client;
import io.fibry.testing.LogLines;
import io.fibry.testing.NoLeftovers;
import java.io.EOFException;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.extension.ExtendWith;

/** Timeouts and stops between and within the lines of clients that only send. */
@ExtendWith(NoLeftovers.class)
@Timeout(value = 60, threadMode = ThreadMode.SEPARATE_THREAD)
class LineStopTest {

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final ActorSystem system = ActorSystem.create();
    private final CountDownLatch inside = new CountDownLatch(1);

    @AfterEach
    void close() {
        system.close(Duration.ofMillis(1));
    }

    private TcpAcceptor start(ThreadStrategy strategy, LineHandler handler, TcpOptions options) {
        return LineServer.start(system.actor().strategy(strategy), 0, 1000, handler, options);
    }

    private TcpAcceptor start(ThreadStrategy strategy, LineHandler handler) {
        return start(strategy, handler, TcpOptions.defaults());
    }

    @AllStrategies
    void dataReadBeforeATimeoutIsKept(ThreadStrategy strategy) throws Exception {
        var line = new CompletableFuture<String>();
        var options = TcpOptions.defaults().readTimeout(Duration.ofMillis(300));
        LineHandler handler = connection -> {
            while (!line.isDone()) {
                try {
                    line.complete(connection.read());
                } catch (SocketTimeoutException again) {
                    inside.countDown();
                }
            }
        };
        try (var client = new Client(start(strategy, handler, options).port())) {
            client.send("transfer 100");
            inside.await();
            client.send("0000 EUR\n");
            assertEquals("transfer 1000000 EUR", line.join());
        }
    }

    private void readAll(LineConnection connection) throws IOException {
        while (connection.read() != null) {
            inside.countDown();
        }
    }

    @AllStrategies
    void aStopEndsAClientThatOnlySendsAndIsSilentNow(ThreadStrategy strategy) throws Exception {
        var server = start(strategy, this::readAll);
        try (var client = new Client(server.port())) {
            client.send("line\n");
            inside.await();
            server.stop();
            assertTrue(server.waitForExit(PATIENCE));
            assertEquals("", client.receiveAll());
        }
    }

    @AllStrategies
    void aStopEndsAClientThatSendsAllTheTime(ThreadStrategy strategy) throws Exception {
        var server = start(strategy, this::readAll);
        try (var client = new Client(server.port())) {
            byte[] lines = "a line of the client\n".repeat(1000).getBytes(UTF_8);
            var sender = new CompletableFuture<Throwable>();
            Thread.ofPlatform()
                    .start(() -> sender.complete(assertThrows(IOException.class, () -> {
                        while (true) {
                            client.send(lines);
                        }
                    })));
            inside.await();
            server.stop();
            assertTrue(server.waitForExit(PATIENCE));
            sender.join();
        }
    }

    @AllStrategies
    void aLineThatHasBegunIsReadToItsEnd(ThreadStrategy strategy) throws Exception {
        List<String> lines = new ArrayList<>();
        var server = start(strategy, connection -> {
            for (String line = connection.read(); line != null; line = connection.read()) {
                lines.add(line);
                inside.countDown();
            }
        });
        try (var client = new Client(server.port())) {
            client.send("first\nsec");
            inside.await();
            server.stop();
            client.send("ond\n");
            assertTrue(server.waitForExit(PATIENCE));
            assertEquals(List.of("first", "second"), lines);
        }
    }

    /** Requests that have arrived before the stop are still answered. */
    @AllStrategies
    void linesThatHaveArrivedAreStillHandled(ThreadStrategy strategy) throws Exception {
        var go = new CountDownLatch(1);
        var server = start(strategy, connection -> {
            for (String line = connection.read(); line != null; line = connection.read()) {
                inside.countDown();
                go.await();
                connection.write("<" + line + ">");
            }
        });
        try (var client = new Client(server.port())) {
            client.send("a\nb\nc\n");
            inside.await();
            server.stop();
            go.countDown();
            assertEquals("<a>\n<b>\n<c>\n", client.receiveAll());
            assertTrue(server.waitForExit(PATIENCE));
        }
    }

    @Test
    void aHandlerThatIgnoresTheEndIsStopped() throws Exception {
        var failure = new CompletableFuture<Throwable>();
        var go = new CountDownLatch(1);
        var server = start(ThreadStrategy.virtual(), connection -> {
            assertEquals("x", connection.read());
            inside.countDown();
            go.await();
            assertNull(connection.read());
            failure.complete(assertThrows(EOFException.class, () -> {
                while (true) {
                    connection.read();
                }
            }));
        });
        try (var client = new Client(server.port())) {
            client.send("x\n");
            inside.await();
            server.stop();
            go.countDown();
            failure.join();
        }
    }

    /** A server that does not end by itself must not use up the time of the actors. */
    @AllStrategies
    void serversGetAShareOfTheSystemsTime(ThreadStrategy strategy) throws Exception {
        var handled = new AtomicInteger();
        var server = TcpAcceptor.start(
                system.actor().strategy(strategy),
                0,
                socket -> {
                    socket.getInputStream().read();
                    inside.countDown();
                    socket.getInputStream().read();
                },
                TcpOptions.defaults());
        Actor<Integer> slow = system.actor().strategy(strategy).newActor((Integer n) -> {
            server.waitForExit();
            handled.incrementAndGet();
        });
        try (var client = new Client(server.port())) {
            client.send("x");
            inside.await();
            slow.tell(1);
            slow.tell(2);
            assertTrue(system.close(Duration.ofSeconds(6)));
            assertEquals(2, handled.get());
        }
    }

    @Test
    void connectionsThatAHardStopClosesAreOneLineInTheLog() throws Exception {
        var both = new CountDownLatch(2);
        var server = start(ThreadStrategy.virtual(), connection -> {
            both.countDown();
            try {
                new CountDownLatch(1).await(); // neither reads nor writes
            } catch (InterruptedException e) {
                throw new IllegalStateException("the actor that gets the lines has been stopped", e);
            }
        });
        try (var log = new LogLines();
                var one = new Client(server.port());
                var two = new Client(server.port())) {
            both.await();
            server.stop(StopMode.INTERRUPT);
            assertTrue(server.waitForExit(PATIENCE));
            assertEquals("", one.receiveAll() + two.receiveAll());
            assertEquals(1, log.with("INFO", "closed 2 connections").size(), log.text());
            assertEquals(1, log.text().lines().count(), log.text());
        }
    }
}
