package io.fibry.net;

import static java.nio.charset.StandardCharsets.UTF_8;
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
import io.fibry.testing.LogLines;
import io.fibry.testing.NoLeftovers;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@ExtendWith(NoLeftovers.class)
@Timeout(value = 120, threadMode = ThreadMode.SEPARATE_THREAD)
class UdpServerTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final ActorSystem system = ActorSystem.create();

    @AfterEach
    void close() {
        system.close();
    }

    private UdpServer start(ThreadStrategy strategy, DatagramHandler handler, UdpOptions options) {
        return UdpServer.start(system.actor().strategy(strategy), 0, handler, options);
    }

    @Test
    void aServerWhoseHandlerCannotStartLeavesNothing() {
        ThreadStrategy broken = ThreadStrategy.platform(thread -> {
            throw new IllegalStateException("no thread, on purpose");
        });
        var builder = system.actor("server").strategy(broken);
        assertThrows(
                IllegalStateException.class,
                () -> UdpServer.start(builder, 0, UdpServerTest::echo, UdpOptions.defaults()));
        assertTrue(system.find("server").isEmpty());
    }

    private static void echo(DatagramPacket datagram, DatagramHandler.Sender server) throws IOException {
        assertTrue(server.send(datagram.getData(), datagram.getSocketAddress()));
    }

    /** A UDP client that fails instead of waiting indefinitely. */
    private static final class Client implements AutoCloseable {

        private final DatagramSocket socket;

        Client(UdpServer server) throws IOException {
            socket = new DatagramSocket(0, InetAddress.getLoopbackAddress());
            socket.setSoTimeout(30_000);
            socket.connect(InetAddress.getLoopbackAddress(), server.port());
        }

        Client send(String text) throws IOException {
            byte[] bytes = text.getBytes(UTF_8);
            socket.send(new DatagramPacket(bytes, bytes.length));
            return this;
        }

        String receive() throws IOException {
            var datagram = new DatagramPacket(new byte[10_000], 10_000);
            socket.receive(datagram);
            return new String(datagram.getData(), 0, datagram.getLength(), UTF_8);
        }

        @Override
        public void close() {
            socket.close();
        }
    }

    @AllStrategies
    void answersTheSender(ThreadStrategy strategy) throws Exception {
        var server = start(strategy, UdpServerTest::echo, UdpOptions.defaults());
        try (var ann = new Client(server);
                var bob = new Client(server)) {
            assertEquals("Ann", ann.send("Ann").receive());
            assertEquals("Bob", bob.send("Bob").receive());
            String long8k = "x".repeat(8 * 1024);
            assertEquals(long8k, ann.send(long8k).receive());
        }
        assertEquals(new UdpStats(3, 0), server.stats());
    }

    @AllStrategies
    void aDatagramThatIsTooLongIsDropped(ThreadStrategy strategy) throws Exception {
        var server = start(strategy, UdpServerTest::echo, UdpOptions.defaults().maxMessageBytes(5));
        try (var client = new Client(server)) {
            assertEquals("12345", client.send("123456").send("12345").receive());
        }
        assertEquals(new UdpStats(1, 1), server.stats());
    }

    @Test
    void aLimitBeyondTheMaximumDatagramSizeUsesNoMemory() throws Exception {
        var options = UdpOptions.defaults().maxMessageBytes(Integer.MAX_VALUE);
        var server = start(ThreadStrategy.virtual(), UdpServerTest::echo, options);
        try (var client = new Client(server)) {
            assertEquals("hello", client.send("hello").receive());
        }
    }

    @AllStrategies
    void datagramsBeyondTheLimitAreDropped(ThreadStrategy strategy) throws Exception {
        var go = new CountDownLatch(1);
        var inside = new CountDownLatch(1);
        var handled = new AtomicInteger();
        var server = start(
                strategy,
                (datagram, sender) -> {
                    inside.countDown();
                    go.await();
                    handled.incrementAndGet();
                },
                UdpOptions.defaults().maxPending(3));
        try (var client = new Client(server)) {
            client.send("in work");
            inside.await();
            for (int i = 0; i < 10; i++) {
                client.send("waits");
            }
            await().atMost(PATIENCE).until(() -> server.stats().dropped() == 7);
            go.countDown();
            await().atMost(PATIENCE).until(() -> handled.get() == 4);
            client.send("one more");
            await().atMost(PATIENCE).until(() -> handled.get() == 5);
        }
        assertEquals(new UdpStats(5, 7), server.stats());
    }

    @AllStrategies
    void aThrowingHandlerContinuesWithTheNextDatagram(ThreadStrategy strategy) throws Exception {
        try (var log = new LogLines()) {
            var server = start(
                    strategy,
                    (datagram, sender) -> {
                        switch (new String(datagram.getData(), UTF_8)) {
                            case "exception" -> throw new Exception("on purpose");
                            case "io" -> throw new IOException("on purpose");
                            case "error" -> throw new AssertionError("on purpose");
                            default -> echo(datagram, sender);
                        }
                    },
                    UdpOptions.defaults());
            try (var client = new Client(server)) {
                client.send("exception").send("io").send("error").send("fine");
                assertEquals("fine", client.receive());
            }
            server.close();
            assertEquals(1, log.with("INFO", server.name(), "on purpose").size(), log.text());
            assertEquals(2, log.with("ERROR").size(), log.text());
        }
    }

    @AllStrategies
    void aStopHandlesAndAnswersReceivedDatagrams(ThreadStrategy strategy) throws Exception {
        var inside = new CountDownLatch(1);
        var go = new CountDownLatch(1);
        var server = start(
                strategy,
                (datagram, sender) -> {
                    inside.countDown();
                    go.await();
                    echo(datagram, sender);
                },
                UdpOptions.defaults());
        try (var client = new Client(server)) {
            client.send("1").send("2");
            inside.await();
            await().atMost(PATIENCE).until(() -> server.stats().accepted() == 2);
            server.stop();
            assertThrows(ActorStoppedException.class, () -> server.execute(() -> {}));
            assertFalse(server.exit().isDone());
            go.countDown();
            assertEquals("1", client.receive());
            assertEquals("2", client.receive());
            assertTrue(server.waitForExit(PATIENCE));
            assertThrows(IOException.class, () -> server.send(new byte[1], new InetSocketAddress(1)));
        }
        new DatagramSocket(server.port()).close(); // the port is free
    }

    @AllStrategies
    void closeEndsAHandlerThatHangs(ThreadStrategy strategy) throws Exception {
        var inside = new CountDownLatch(1);
        var server = start(
                strategy,
                (datagram, sender) -> {
                    inside.countDown();
                    new CountDownLatch(1).await();
                },
                UdpOptions.defaults());
        try (var client = new Client(server)) {
            client.send("x");
            inside.await();
            boolean unused = server.close(Duration.ofMillis(1)); // forces the stop
            assertTrue(server.close(Await.LIMIT));
            assertTrue(server.exit().isDone());
        }
    }

    @ParameterizedTest
    @EnumSource(StopMode.class)
    void aStopUnblocksAServerThatWaits(StopMode mode) throws Exception {
        for (int i = 0; i < 20; i++) {
            var server = start(ThreadStrategy.virtual(), UdpServerTest::echo, UdpOptions.defaults());
            server.stop(mode);
            assertTrue(server.waitForExit(PATIENCE));
            new DatagramSocket(server.port()).close();
        }
    }

    /** Within this machine: by the loopback interface, and with a time to live of 0. */
    @AllStrategies
    void receivesDatagramsSentToItsGroup(ThreadStrategy strategy) throws Exception {
        var group = InetAddress.getByName("239.255.77.77");
        var loopback = NetworkInterface.getByInetAddress(InetAddress.getLoopbackAddress());
        var options = UdpOptions.defaults().group(group, loopback);
        var one = UdpServer.start(system.actor().strategy(strategy), 0, UdpServerTest::echo, options);
        var two = UdpServer.start(system.actor().strategy(strategy), one.port(), UdpServerTest::echo, options);
        try (var client = DatagramChannel.open(StandardProtocolFamily.INET)) {
            client.setOption(StandardSocketOptions.IP_MULTICAST_IF, loopback);
            client.setOption(StandardSocketOptions.IP_MULTICAST_TTL, 0);
            client.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            client.send(ByteBuffer.wrap("all".getBytes(UTF_8)), new InetSocketAddress(group, one.port()));
            client.socket().setSoTimeout(30_000);
            for (int i = 0; i < 2; i++) {
                var answer = new DatagramPacket(new byte[10], 10);
                client.socket().receive(answer);
                assertEquals("all", new String(answer.getData(), 0, answer.getLength(), UTF_8));
            }
        }
        assertEquals(new UdpStats(1, 0), one.stats());
        assertEquals(new UdpStats(1, 0), two.stats());
    }

    @Test
    void aTakenPortIsReportedClearly() throws Exception {
        try (var taken = new DatagramSocket(0)) {
            int port = taken.getLocalPort();
            var e = assertThrows(
                    UncheckedIOException.class,
                    () -> UdpServer.start(
                            system.actor().strategy(ThreadStrategy.virtual()),
                            port,
                            UdpServerTest::echo,
                            UdpOptions.defaults()));
            assertTrue(e.getMessage().startsWith("cannot listen on port " + port + ": "), e.getMessage());
        }
    }

    @Test
    void optionsAreChecked() throws Exception {
        var defaults = UdpOptions.defaults();
        var loopback = InetAddress.getLoopbackAddress();
        var on = NetworkInterface.getByInetAddress(loopback);
        for (Executable wrong : List.<Executable>of(
                () -> defaults.maxMessageBytes(0), () -> defaults.maxPending(0), () -> defaults.group(loopback, on))) {
            assertThrows(IllegalArgumentException.class, wrong);
        }
        assertEquals(1000, defaults.maxPending());
    }

    @Test
    void listensOnTheGivenAddress() {
        var loopback = InetAddress.getLoopbackAddress();
        var options = UdpOptions.defaults().bindAddress(loopback);
        var server = start(ThreadStrategy.virtual(), UdpServerTest::echo, options);
        assertEquals(new InetSocketAddress(loopback, server.port()), server.address());
    }
}
