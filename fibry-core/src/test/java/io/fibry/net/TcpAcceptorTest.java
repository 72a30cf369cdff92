package io.fibry.net;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.ActorSystem;
import io.fibry.ThreadStrategy;
import io.fibry.testing.AllStrategies;
import io.fibry.testing.Client;
import io.fibry.testing.LogLines;
import io.fibry.testing.NoLeftovers;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@ExtendWith(NoLeftovers.class)
@Timeout(120)
class TcpAcceptorTest {

    static void echo(Socket socket) throws IOException {
        socket.getInputStream().transferTo(socket.getOutputStream());
    }

    private static TcpAcceptor start(ActorSystem system, ThreadStrategy strategy, ConnectionHandler handler) {
        return TcpAcceptor.start(system.actor().strategy(strategy), 0, handler, TcpOptions.defaults());
    }

    private static String echoed(TcpAcceptor acceptor, String text) throws IOException {
        try (var client = new Client(acceptor.port())) {
            return client.send(text).end().receiveAll();
        }
    }

    @AllStrategies
    void echoes(ThreadStrategy strategy) throws Exception {
        try (var system = ActorSystem.create()) {
            var acceptor = start(system, strategy, TcpAcceptorTest::echo);
            assertTrue(acceptor.port() > 0);
            assertEquals("hello", echoed(acceptor, "hello"));
            String big = "0123456789".repeat(10_000);
            assertEquals(big, echoed(acceptor, big));
        }
    }

    @AllStrategies
    void readsByteByByte(ThreadStrategy strategy) throws Exception {
        try (var system = ActorSystem.create()) {
            var acceptor = start(system, strategy, socket -> {
                var in = socket.getInputStream();
                var out = new StringBuilder();
                for (int c = in.read(); c != '\n'; c = in.read()) {
                    out.insert(0, (char) c);
                }
                socket.getOutputStream().write(out.toString().getBytes(java.nio.charset.StandardCharsets.US_ASCII));
            });
            try (var client = new Client(acceptor.port())) {
                assertEquals("cba", client.send("a").send("b").send("c\n").receiveAll());
            }
        }
    }

    @AllStrategies
    void handlesConnectionsAtTheSameTime(ThreadStrategy strategy) throws Exception {
        int n = 200;
        var inside = new CountDownLatch(n);
        try (var system = ActorSystem.create()) {
            var acceptor = start(system, strategy, socket -> {
                inside.countDown();
                echo(socket);
            });
            List<Client> clients = new ArrayList<>();
            for (int i = 0; i < n; i++) {
                clients.add(new Client(acceptor.port()));
            }
            assertTrue(inside.await(60, TimeUnit.SECONDS));
            for (int i = 0; i < n; i++) {
                clients.get(i).send("client " + i).end();
            }
            for (int i = 0; i < n; i++) {
                try (var client = clients.get(i)) {
                    assertEquals("client " + i, client.receiveAll());
                }
            }
        }
    }

    @AllStrategies
    void aHandlerThatThrowsAffectsNoOtherConnection(ThreadStrategy strategy) throws Exception {
        var failures = List.of(
                new IllegalStateException("on purpose"), new Exception("on purpose"), new AssertionError("on purpose"));
        var left = new AtomicInteger(failures.size());
        try (var log = new LogLines();
                var system = ActorSystem.create()) {
            ConnectionHandler handler = socket -> {
                int i = left.decrementAndGet();
                if (i >= 0) {
                    switch (failures.get(i)) {
                        case Exception e -> throw e;
                        case Error e -> throw e;
                        default -> throw new IllegalArgumentException();
                    }
                }
                echo(socket);
            };
            // With one permit, because then none may get lost.
            var options = TcpOptions.defaults().maxConnections(1);
            var acceptor = TcpAcceptor.start(system.actor().strategy(strategy), 0, handler, options);
            for (int i = 0; i < failures.size(); i++) {
                assertEquals("", echoed(acceptor, ""));
                assertTrue(acceptor.awaitConnections(0, Duration.ofSeconds(60)));
            }
            assertEquals("still there", echoed(acceptor, "still there"));
            acceptor.close();
            assertEquals(failures.size(), log.with(": on purpose").size());
        }
    }

    @AllStrategies
    void aClientThatResetsIsOneLineInTheLog(ThreadStrategy strategy) throws Exception {
        try (var log = new LogLines();
                var system = ActorSystem.create()) {
            var acceptor = start(system, strategy, TcpAcceptorTest::echo);
            try (var other = new Client(acceptor.port())) {
                var client = new Client(acceptor.port());
                client.send("x").receive(1); // the handler has it
                client.reset();
                assertEquals("still there", other.send("still there").end().receiveAll());
            }
            assertTrue(acceptor.awaitConnections(0, Duration.ofSeconds(60))); // otherwise the stop might have ended it
            acceptor.close();
            assertEquals(1, log.with("INFO").size(), log.with("").toString());
            assertEquals(
                    1,
                    log.with("Actor " + acceptor.name() + ": the connection of /127.0.0.1:")
                            .size());
            assertEquals(List.of(), log.with("\tat "));
        }
    }

    @AllStrategies
    void takesAHandlersUncheckedIOExceptionForABrokenConnection(ThreadStrategy strategy) throws Exception {
        try (var log = new LogLines();
                var system = ActorSystem.create()) {
            var acceptor = start(system, strategy, socket -> {
                throw new UncheckedIOException(new IOException("on purpose"));
            });
            assertEquals("", echoed(acceptor, ""));
            acceptor.close();
            assertEquals(1, log.with("on purpose").size());
            assertEquals(List.of(), log.with("\tat "));
        }
    }

    @Test
    void aTakenPortIsReportedClearly() throws Exception {
        try (var system = ActorSystem.create();
                var taken = new ServerSocket(0)) {
            int port = taken.getLocalPort();
            var e = assertThrows(
                    UncheckedIOException.class,
                    () -> TcpAcceptor.start(
                            system.actor().strategy(ThreadStrategy.virtual()),
                            port,
                            TcpAcceptorTest::echo,
                            TcpOptions.defaults()));
            assertTrue(e.getMessage().startsWith("cannot listen on port " + port + ": "), e.getMessage());
            assertTrue(e.getMessage().endsWith("choose another port, or 0 for a free one"), e.getMessage());
            assertTrue(e.getCause() instanceof BindException);
        }
    }

    @Test
    void aTakenPortCostsNoSocket() throws Exception {
        try (var taken = new ServerSocket(0)) {
            var address = new InetSocketAddress(taken.getLocalPort());
            int before = NoLeftovers.socketCount();
            for (int i = 0; i < 200; i++) {
                assertThrows(
                        UncheckedIOException.class, () -> Listener.open(address, TcpOptions.defaults(), () -> false));
            }
            int more = NoLeftovers.socketCount() - before;
            assertTrue(more < 100, more + " sockets are left"); // other threads may have opened some
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 65536})
    void aPortOutOfRangeIsReportedClearly(int port) {
        try (var system = ActorSystem.create()) {
            var e = assertThrows(
                    IllegalArgumentException.class,
                    () -> TcpAcceptor.start(
                            system.actor().strategy(ThreadStrategy.virtual()),
                            port,
                            TcpAcceptorTest::echo,
                            TcpOptions.defaults()));
            assertTrue(e.getMessage().contains("port " + port), e.getMessage());
        }
    }

    @Test
    void listensOnTheGivenAddress() throws Exception {
        var loopback = InetAddress.getLoopbackAddress();
        try (var system = ActorSystem.create()) {
            var local = new CompletableFuture<InetAddress>();
            var options = TcpOptions.defaults().bindAddress(loopback);
            var acceptor = TcpAcceptor.start(
                    system.actor().strategy(ThreadStrategy.virtual()),
                    0,
                    s -> local.complete(s.getLocalAddress()),
                    options);
            assertEquals("", echoed(acceptor, ""));
            assertEquals(loopback, local.join());
        }
    }

    @Test
    void keepsTheJvmAliveWithEveryStrategy() {
        try (var system = ActorSystem.create()) {
            var acceptor = start(system, ThreadStrategy.virtual(), TcpAcceptorTest::echo);
            var thread = Thread.getAllStackTraces().keySet().stream()
                    .filter(t -> t.getName().equals("fibry-tcp-" + acceptor.port()))
                    .findAny()
                    .orElseThrow();
            assertFalse(thread.isDaemon());
        }
    }

    /** Otherwise the operating system resets the connection, and discards the data that the client has not read. */
    @AllStrategies
    void anAnswerArrivesThoughInputIsLeftUnread(ThreadStrategy strategy) throws Exception {
        byte[] answer = new byte[1 << 20];
        ConnectionHandler handler = socket -> {
            socket.getInputStream().read();
            socket.getOutputStream().write(answer);
        };
        try (var system = ActorSystem.create();
                var acceptor =
                        TcpAcceptor.start(system.actor().strategy(strategy), 0, handler, TcpOptions.defaults())) {
            for (int i = 0; i < 10; i++) {
                try (var client = new Client(acceptor.port())) {
                    client.send(new byte[10_000]);
                    assertEquals(answer.length, client.skipAll());
                }
            }
        }
    }

    /** It holds its permit for a second at most. */
    @AllStrategies
    void aClientThatDoesNotHangUpLosesItsConnectionAfterTheAnswer(ThreadStrategy strategy) throws Exception {
        ConnectionHandler handler = socket -> socket.getOutputStream().write('x');
        try (var system = ActorSystem.create();
                var acceptor = TcpAcceptor.start(system.actor().strategy(strategy), 0, handler, TcpOptions.defaults());
                var client = new Client(acceptor.port())) {
            assertEquals(1, client.skipAll());
            assertTrue(acceptor.awaitConnections(0, Duration.ofSeconds(60)));
        }
    }
}
