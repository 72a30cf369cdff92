package io.fibry.net;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.ActorSystem;
import io.fibry.ThreadStrategy;
import io.fibry.sockets.Tls;
import io.fibry.testing.AllStrategies;
import io.fibry.testing.Client;
import io.fibry.testing.LogLines;
import io.fibry.testing.NoLeftovers;
import io.fibry.testing.ThreadKinds;
import io.fibry.testing.WithCertificate;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(NoLeftovers.class)
@Timeout(value = 120, threadMode = ThreadMode.SEPARATE_THREAD)
class TlsTest extends WithCertificate {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final ActorSystem system = ActorSystem.create();

    @AfterEach
    void close() {
        system.close();
    }

    private TcpAcceptor start(ThreadStrategy strategy, ConnectionHandler handler, Duration handshake) {
        var options =
                TcpOptions.defaults().tls(context).handshakeTimeout(handshake).maxConnections(20);
        return TcpAcceptor.start(system.actor().strategy(strategy), 0, handler, options);
    }

    private TcpAcceptor echo(ThreadStrategy strategy) {
        return start(strategy, TcpAcceptorTest::echo, PATIENCE);
    }

    private static SSLSocket connect(TcpAcceptor acceptor, String... versions) throws IOException {
        var socket = (SSLSocket) context.getSocketFactory().createSocket("127.0.0.1", acceptor.port());
        socket.setSoTimeout(30_000);
        if (versions.length > 0) {
            socket.setEnabledProtocols(versions);
        }
        return socket;
    }

    private static String echoed(TcpAcceptor acceptor, String text, String... versions) throws IOException {
        try (var socket = connect(acceptor, versions)) {
            socket.getOutputStream().write(text.getBytes(UTF_8));
            var answer = socket.getInputStream().readNBytes(text.length());
            return socket.getSession().getProtocol() + " " + new String(answer, UTF_8);
        }
    }

    @AllStrategies
    void speaksTls12And13(ThreadStrategy strategy) throws Exception {
        var acceptor = echo(strategy);
        assertEquals("TLSv1.3 hello", echoed(acceptor, "hello"));
        assertEquals("TLSv1.3 hello", echoed(acceptor, "hello", "TLSv1.3"));
        assertEquals("TLSv1.2 hello", echoed(acceptor, "hello", "TLSv1.2"));
        String big = "0123456789".repeat(10_000);
        var socket = connect(acceptor);
        var writer = Thread.startVirtualThread(() -> send(socket, big));
        assertEquals(big, new String(socket.getInputStream().readNBytes(big.length()), UTF_8));
        writer.join();
        socket.close();
    }

    private static void send(SSLSocket socket, String text) {
        try {
            socket.getOutputStream().write(text.getBytes(UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The JDK switches old versions off in its security properties; this does not rely on them. */
    @Test
    void offersNoOlderVersion() throws Exception {
        assertEquals(
                List.of("TLSv1.3", "TLSv1.2"),
                Arrays.asList(Tls.parameters(context, null).getProtocols()));
        var server = new CompletableFuture<String[]>();
        var acceptor = start(
                ThreadStrategy.virtual(),
                socket -> server.complete(((SSLSocket) socket).getEnabledProtocols()),
                PATIENCE);
        try (var socket = connect(acceptor)) {
            socket.startHandshake();
            assertEquals(List.of("TLSv1.3", "TLSv1.2"), Arrays.asList(server.join()));
        }
    }

    @AllStrategies
    void theHandlerKnowsTheSession(ThreadStrategy strategy) throws Exception {
        var suite = new CompletableFuture<String>();
        var acceptor = start(
                strategy,
                socket -> suite.complete(
                        assertInstanceOf(SSLSocket.class, socket).getSession().getCipherSuite()),
                PATIENCE);
        try (var socket = connect(acceptor)) {
            socket.startHandshake();
            assertEquals(socket.getSession().getCipherSuite(), suite.join());
            assertEquals(-1, socket.getInputStream().read()); // a close in order, otherwise this throws
        }
    }

    @ThreadKinds
    void clientsThatNeverFinishTheirHandshakeCostAConnectionForTheTimeout(ThreadStrategy strategy) throws Exception {
        echoed(echo(strategy), "the first handshake of a JVM may take longer");
        var acceptor = start(strategy, TcpAcceptorTest::echo, Duration.ofSeconds(1));
        List<Client> silent = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            silent.add(new Client(acceptor.port()));
            silent.get(i).send(i % 2 == 0 ? "" : "\26\3\1\2"); // nothing, or the beginning of a ClientHello
        }
        await().atMost(PATIENCE).until(() -> acceptor.stats().accepted() == 10);
        await().atMost(PATIENCE)
                .ignoreExceptionsInstanceOf(IOException.class) // on a slow machine its own handshake may take too long
                .until(() -> echoed(acceptor, "me too").equals("TLSv1.3 me too"));
        for (Client client : silent) {
            assertThrows(IOException.class, client::receiveAll);
            client.close();
        }
        assertTrue(acceptor.awaitConnections(0, PATIENCE));
        TcpStats stats = acceptor.stats();
        assertEquals(stats.accepted() - 1, stats.timedOut(), stats.toString());
        assertEquals(0, stats.refused() + stats.failedAccepts(), stats.toString());
    }

    @ThreadKinds
    void aConnectionOutlivesTheTimeForItsHandshake(ThreadStrategy strategy) throws Exception {
        echoed(echo(strategy), "the first handshake of a JVM may take longer");
        var acceptor = start(strategy, TcpAcceptorTest::echo, Duration.ofSeconds(1));
        try (var socket = await().atMost(PATIENCE)
                        .ignoreExceptionsInstanceOf(IOException.class) // as above
                        .until(() -> greeted(acceptor), s -> true);
                var silent = new Client(acceptor.port())) {
            assertThrows(IOException.class, silent::receiveAll); // it arrived later, and its time limit has expired
            socket.getOutputStream().write('y');
            assertEquals('y', socket.getInputStream().read());
        }
    }

    private static SSLSocket greeted(TcpAcceptor acceptor) throws IOException {
        SSLSocket socket = connect(acceptor);
        try {
            socket.getOutputStream().write('x');
            assertEquals('x', socket.getInputStream().read());
            return socket;
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    @Test
    void aClientOfAnotherProtocolIsLoggedOnce() throws Exception {
        try (var log = new LogLines()) {
            var acceptor = echo(ThreadStrategy.virtual());
            try (var client = new Client(acceptor.port())) {
                client.send("GET / HTTP/1.0\r\n\r\n");
                assertEquals(21, client.receiveAllBytes()[0], "an alert");
            }
            assertTrue(acceptor.awaitConnections(0, PATIENCE));
            assertEquals(1, log.with("INFO", "SSLException").size(), log.text());
            assertEquals(List.of(), log.with("\tat "));
        }
    }

    @AllStrategies
    void aStopEndsIdleConnections(ThreadStrategy strategy) throws Exception {
        var acceptor = echo(strategy);
        try (var handshaking = new Client(acceptor.port());
                var idle = connect(acceptor)) {
            idle.getOutputStream().write('x');
            assertEquals('x', idle.getInputStream().read());
            await().atMost(PATIENCE).until(() -> acceptor.connections() == 2);
            acceptor.stop();
            assertTrue(acceptor.waitForExit(PATIENCE));
            assertEquals(-1, idle.getInputStream().read()); // a close in order, otherwise this throws
            assertEquals(0, acceptor.connections());
            assertTrue(handshaking.receiveAllBytes().length < 20, "an alert at most");
        }
    }

    /** The client sends the last message of the handshake, so the server has read more recently than written. */
    @AllStrategies
    void aStopEndsAResumedConnectionWithoutInput(ThreadStrategy strategy) throws Exception {
        var acceptor = echo(strategy);
        byte[] session;
        try (var first = connect(acceptor, "TLSv1.2")) {
            first.getOutputStream().write('x');
            assertEquals('x', first.getInputStream().read());
            session = first.getSession().getId();
        }
        try (var resumed = connect(acceptor, "TLSv1.2")) {
            resumed.startHandshake();
            assertArrayEquals(session, resumed.getSession().getId());
            acceptor.stop();
            assertTrue(acceptor.waitForExit(PATIENCE));
        }
    }

    @Test
    void aContextWithoutASafeVersionIsRefused() throws Exception {
        var old = SSLContext.getInstance("TLSv1.2");
        old.init(null, null, null);
        assertEquals(List.of("TLSv1.2"), Arrays.asList(Tls.parameters(old, null).getProtocols()));
        var unsafe = SSLContext.getInstance("TLSv1");
        unsafe.init(null, null, null);
        var e = assertThrows(IllegalArgumentException.class, () -> Tls.parameters(unsafe, null));
        assertTrue(e.getMessage().contains("neither TLS 1.2 nor 1.3"), e.getMessage());
    }

    /** Each renegotiation costs the server more than the client. TLS 1.3 has none. */
    @AllStrategies
    void aRenegotiatingClientLosesItsConnection(ThreadStrategy strategy) throws Exception {
        var acceptor = echo(strategy);
        try (var socket = connect(acceptor, "TLSv1.2")) {
            socket.getOutputStream().write('x');
            assertEquals('x', socket.getInputStream().read());
            assertThrows(IOException.class, () -> {
                socket.startHandshake();
                socket.getInputStream().read();
            });
            assertTrue(acceptor.awaitConnections(0, PATIENCE));
        }
        assertEquals("TLSv1.2 next", echoed(acceptor, "next", "TLSv1.2"));
    }
}
