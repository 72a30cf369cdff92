package io.fibry.net;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.ActorSystem;
import io.fibry.ThreadStrategy;
import io.fibry.testing.AllStrategies;
import io.fibry.testing.Client;
import io.fibry.testing.NoLeftovers;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.SocketException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@ExtendWith(NoLeftovers.class)
@Timeout(120)
class ProxyHeaderTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String SIGNATURE = "0d0a0d0a000d0a515549540a";
    private static final String FIRST = "PROXY TCP4 192.0.2.1 198.51.100.1 56324 443\r\n";

    private final ActorSystem system = ActorSystem.create();

    @AfterEach
    void close() {
        system.close();
    }

    private TcpAcceptor start(ThreadStrategy strategy, TcpOptions options, ConnectionHandler handler) {
        return TcpAcceptor.start(system.actor().strategy(strategy), 0, handler, options);
    }

    private static TcpOptions trusting() {
        return TcpOptions.defaults().trustedProxies(InetAddress::isLoopbackAddress);
    }

    /** Sends back the address that it sees, and its input. */
    private static final ConnectionHandler TELL = socket -> {
        String got = new String(socket.getInputStream().readAllBytes(), UTF_8);
        String answer = socket.getInetAddress().getHostAddress() + " " + socket.getRemoteSocketAddress() + " " + got;
        socket.getOutputStream().write(answer.getBytes(UTF_8));
    };

    private static final ConnectionHandler GREET = socket -> {
        socket.getOutputStream().write('x');
        assertEquals(-1, socket.getInputStream().read());
    };

    private static String answer(TcpAcceptor acceptor, byte[] bytes) throws IOException {
        try (var client = new Client(acceptor.port())) {
            return client.send(bytes).end().receiveAll();
        }
    }

    private static byte[] bytes(String hex) {
        return HexFormat.of().parseHex(hex);
    }

    @AllStrategies
    void theHandlerSeesTheAddressOfTheClient(ThreadStrategy strategy) throws Exception {
        var acceptor = start(strategy, trusting(), TELL);
        assertEquals("192.0.2.1 /192.0.2.1:56324 hello", answer(acceptor, (FIRST + "hello").getBytes(UTF_8)));
        byte[] second = bytes(SIGNATURE + "2111000c" + "c0000202" + "c6336401" + "1f90" + "01bb" + "68656c6c6f");
        assertEquals("192.0.2.2 /192.0.2.2:8080 hello", answer(acceptor, second));
    }

    @AllStrategies
    void untrustedClientsCannotChooseAnAddress(ThreadStrategy strategy) throws Exception {
        var acceptor = start(strategy, TcpOptions.defaults().trustedProxies(address -> false), TELL);
        String answer = answer(acceptor, FIRST.getBytes(UTF_8));
        assertTrue(answer.startsWith("127.0.0.1 /127.0.0.1:"), answer);
        assertTrue(answer.endsWith(FIRST), answer);
    }

    @AllStrategies
    void withoutAValidHeaderThereIsNoHandler(ThreadStrategy strategy) throws Exception {
        var acceptor =
                start(strategy, trusting(), socket -> socket.getOutputStream().write('x'));
        for (String begin : new String[] {"GET / HTTP/1.1\r\n\r\n", "PROXY TCP4 x\r\n", "PROXY", ""}) {
            try {
                assertEquals("", answer(acceptor, begin.getBytes(UTF_8)));
            } catch (SocketException reset) {
                assertTrue(begin.length() > 5, "only what is left unread causes a reset");
            }
        }
    }

    @AllStrategies
    void theHeaderHasATimeout(ThreadStrategy strategy) throws Exception {
        var acceptor = start(strategy, trusting().handshakeTimeout(Duration.ofMillis(100)), TELL);
        try (var client = new Client(acceptor.port())) {
            client.send("PROXY TCP4");
            assertThrows(SocketException.class, client::receiveAll);
        }
        assertEquals(1, acceptor.stats().timedOut());
    }

    /** Otherwise the drain would wait for an answer to the header. */
    @AllStrategies
    void afterTheHeaderAConnectionIsIdle(ThreadStrategy strategy) throws Exception {
        var started = new CountDownLatch(1);
        var acceptor = start(strategy, trusting(), socket -> {
            started.countDown();
            assertEquals(-1, socket.getInputStream().read());
        });
        try (var client = new Client(acceptor.port())) {
            client.send(FIRST);
            assertTrue(started.await(60, TimeUnit.SECONDS));
            acceptor.stop();
            assertEquals("", client.receiveAll());
        }
    }

    @AllStrategies
    void theLimitForAnAddressCountsTheClientsOfAProxy(ThreadStrategy strategy) throws Exception {
        var acceptor = start(strategy, trusting().maxPerAddress(1), GREET);
        String other = FIRST.replace("192.0.2.1", "192.0.2.2");
        try (var second = new Client(acceptor.port())) {
            try (var first = new Client(acceptor.port())) {
                assertEquals("x", first.send(FIRST).receive(1));
                assertEquals("x", second.send(other).receive(1));
                for (int i = 1; i <= 2; i++) { // a refused connection leaves the count as it is
                    try (var third = new Client(acceptor.port())) {
                        third.send(FIRST);
                        assertThrows(SocketException.class, third::receiveAll);
                    }
                    assertEquals(i, acceptor.stats().refused());
                }
            }
            assertTrue(acceptor.awaitConnections(1, PATIENCE));
            try (var next = new Client(acceptor.port())) {
                assertEquals("x", next.send(FIRST).receive(1));
            }
        }
    }

    @Test
    void connectionsOfAProxyWithoutAClientHaveNoLimitForAnAddress() throws Exception {
        var acceptor = start(ThreadStrategy.virtual(), trusting().maxPerAddress(1), GREET);
        try (var first = new Client(acceptor.port());
                var second = new Client(acceptor.port())) {
            assertEquals("x", first.send("PROXY UNKNOWN\r\n").receive(1));
            assertEquals("x", second.send("PROXY UNKNOWN\r\n").receive(1));
        }
        assertTrue(acceptor.awaitConnections(0, PATIENCE));
    }

    @Test
    void clientsWithoutAProxyAreLimitedByTheirOwnAddress() throws Exception {
        var options = TcpOptions.defaults().trustedProxies(address -> false).maxPerAddress(1);
        var acceptor = start(ThreadStrategy.virtual(), options, GREET);
        try (var first = new Client(acceptor.port())) {
            assertEquals("x", first.receive(1));
            assertTrue(Client.isRefused(acceptor.port()));
        }
        assertEquals(1, acceptor.stats().refused());
    }

    @ParameterizedTest
    @CsvSource({
        "PROXY TCP4 1.2.3.4 5.6.7.8 1 2, /1.2.3.4:1",
        "PROXY TCP6 2001:db8::1 ::1 65535 2, '/[2001:db8:0:0:0:0:0:1]:65535'",
        "PROXY UNKNOWN, null",
        "PROXY UNKNOWN ffff::1 ffff::2 1 2, null"
    })
    void readsVersion1(String line, String address) throws Exception {
        var in = new ByteArrayInputStream((line + "\r\nrest").getBytes(ISO_8859_1));
        assertEquals(address, "" + ProxyHeader.read(in));
        assertEquals("rest", new String(in.readAllBytes(), ISO_8859_1));
    }

    @ParameterizedTest
    @CsvSource({
        "2111000c01020304050607080001ffff, /1.2.3.4:1",
        "2111000f01020304050607080001ffff030000, /1.2.3.4:1",
        "2121002420010db800000000000000000000000100000000000000000000000000000001ffff0001,"
                + " '/[2001:db8:0:0:0:0:0:1]:65535'",
        "20000000, null",
        "2011000c01020304050607080001ffff, null",
        "21000000, null",
        "213100020102, null"
    })
    void readsVersion2(String hex, String address) throws Exception {
        var in = new ByteArrayInputStream(bytes(SIGNATURE + hex + "ff"));
        assertEquals(address, "" + ProxyHeader.read(in));
        assertEquals(1, in.available());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "PROXY TCP4 1.2.3.4 5.6.7.8 1 2\n",
                "PROXY TCP4 1.2.3.4 5.6.7.8 1\r\n",
                "PROXY TCP4 1.2.3.4 5.6.7.8 1 2 \r\n",
                "PROXY TCP4 1.2.3.256 5.6.7.8 1 2\r\n",
                "PROXY TCP4 1.2.3.04 5.6.7.8 1 2\r\n",
                "PROXY TCP4 1.2.3 5.6.7.8 1 2\r\n",
                "PROXY TCP4 localhost 5.6.7.8 1 2\r\n",
                "PROXY TCP4 ::1 ::1 1 2\r\n",
                "PROXY TCP6 1.2.3.4 5.6.7.8 1 2\r\n",
                "PROXY TCP6 1:::2 ::1 1 2\r\n",
                "PROXY TCP4 1.2.3.4 5.6.7.8 65536 2\r\n",
                "PROXY TCP4 1.2.3.4 5.6.7.8 1 65536\r\n",
                "PROXY TCP4 1.2.3.4 5.6.7.8 -1 2\r\n",
                "PROXY TCP4 1.2.3.4 5.6.7.8 01 2\r\n",
                "PROXY UNKNOWNS\r\n",
                "proxy TCP4 1.2.3.4 5.6.7.8 1 2\r\n",
                "PROXY TCP4 1.2.3.4 5.6.7.8 1 2",
                "\r\n\r\n",
                ""
            })
    void anInvalidLineIsAnError(String text) {
        assertThrows(IOException.class, () -> ProxyHeader.read(new ByteArrayInputStream(text.getBytes(ISO_8859_1))));
    }

    @Test
    void aLineOfAnyLengthIsNotRead() {
        var in = new ByteArrayInputStream(("PROXY UNKNOWN " + "x".repeat(1000)).getBytes(ISO_8859_1));
        assertThrows(IOException.class, () -> ProxyHeader.read(in));
        assertTrue(in.available() > 800);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "1111000c01020304050607080001ffff",
                "2211000c01020304050607080001ffff",
                "2111000401020304",
                "2111000c0102"
            })
    void invalidBytesAreAnError(String hex) {
        var in = new ByteArrayInputStream(bytes(SIGNATURE + hex));
        assertThrows(IOException.class, () -> ProxyHeader.read(in));
    }
}
