package io.fibry.net;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.ActorSystem;
import io.fibry.ThreadStrategy;
import io.fibry.testing.AllStrategies;
import io.fibry.testing.Client;
import io.fibry.testing.NoLeftovers;
import io.fibry.testing.ThreadKinds;
import io.fibry.testing.WithCertificate;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.extension.ExtendWith;

/** The time between the end of a handler and the end of its connection. */
@ExtendWith(NoLeftovers.class)
@Timeout(value = 120, threadMode = ThreadMode.SEPARATE_THREAD)
class TcpLingerTest extends WithCertificate {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int ANSWER = 256 << 10;

    private final ActorSystem system = ActorSystem.create();

    @AfterEach
    void close() {
        system.close();
    }

    private TcpAcceptor start(ThreadStrategy strategy, ConnectionHandler handler, TcpOptions options) {
        return TcpAcceptor.start(system.actor().strategy(strategy), 0, handler, options);
    }

    private static Socket connect(TcpAcceptor acceptor) throws IOException {
        var socket = new Socket();
        socket.setReceiveBufferSize(4 << 10);
        socket.setSoTimeout(30_000);
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), acceptor.port()));
        return socket;
    }

    private static SSLSocket encrypt(Socket plain, String... versions) throws IOException {
        var socket = (SSLSocket) context.getSocketFactory().createSocket(plain, "localhost", plain.getPort(), true);
        if (versions.length > 0) {
            socket.setEnabledProtocols(versions);
        }
        return socket;
    }

    private static SSLSocket connectEncrypted(TcpAcceptor acceptor) throws IOException {
        return encrypt(connect(acceptor));
    }

    @AllStrategies
    void theAnswerArrivesAlthoughTheHandlerHasEndedTheOutput(ThreadStrategy strategy) throws Exception {
        ConnectionHandler handler = socket -> {
            assertEquals('x', socket.getInputStream().read());
            socket.setSendBufferSize(1 << 20);
            socket.getOutputStream().write(new byte[ANSWER]);
            socket.shutdownOutput();
        };
        var acceptor = start(strategy, handler, TcpOptions.defaults());
        try (var client = connect(acceptor)) {
            client.getOutputStream().write("x".repeat(10_000).getBytes(UTF_8));
            assertTrue(acceptor.awaitConnections(0, PATIENCE));
            assertEquals(ANSWER, client.getInputStream().transferTo(OutputStream.nullOutputStream()));
        }
    }

    /** Otherwise the next request of the client could reset the connection before the client has read the answer. */
    @AllStrategies
    void theOutputEndsFirstAlsoIfAStopHasEndedTheInput(ThreadStrategy strategy) throws Exception {
        var inside = new CompletableFuture<Socket>();
        var stopped = new CompletableFuture<Void>();
        ConnectionHandler handler = socket -> {
            assertEquals('x', socket.getInputStream().read());
            inside.complete(socket);
            stopped.join();
            socket.getOutputStream().write('y');
            assertEquals(-1, socket.getInputStream().read());
        };
        var acceptor = start(strategy, handler, TcpOptions.defaults());
        try (var client = connect(acceptor)) {
            client.getOutputStream().write('x');
            Socket socket = inside.join();
            acceptor.stop();
            stopped.complete(null);
            assertEquals('y', client.getInputStream().read());
            assertEquals(-1, client.getInputStream().read());
            client.shutdownOutput();
            assertTrue(acceptor.waitForExit(PATIENCE));
            assertTrue(socket.isOutputShutdown());
        }
    }

    /**
     * A client of TLS 1.3 that may send after it has read the end. Repeated, since on a busy machine the time in which
     * its input is discarded may be over.
     */
    @AllStrategies
    void theRestOfTheInputIsDiscardedAlsoWithTls(ThreadStrategy strategy) throws Exception {
        var acceptor = start(
                strategy,
                socket -> socket.getOutputStream().write('x'),
                TcpOptions.defaults().tls(context));
        await().atMost(PATIENCE)
                .ignoreExceptionsInstanceOf(SocketException.class)
                .until(() -> {
                    try (var plain = connect(acceptor);
                            var client = encrypt(plain)) {
                        assertEquals('x', client.getInputStream().read());
                        assertEquals(-1, client.getInputStream().read());
                        plain.getOutputStream().write(new byte[8 << 20]);
                        return true;
                    }
                });
    }

    @ThreadKinds
    void aClientThatSendsWithoutEndLosesItsConnectionAlsoWithTls(ThreadStrategy strategy) throws Exception {
        var acceptor = start(
                strategy,
                socket -> socket.getOutputStream().write('x'),
                TcpOptions.defaults().tls(context));
        for (String version : List.of("TLSv1.2", "TLSv1.3")) {
            try (var plain = connect(acceptor);
                    var client = encrypt(plain, version)) {
                client.startHandshake();
                var sender = CompletableFuture.runAsync(() -> sendOn(plain), Thread::startVirtualThread);
                assertTrue(acceptor.awaitConnections(0, PATIENCE));
                sender.join();
            }
        }
    }

    private static void sendOn(Socket socket) {
        byte[] piece = new byte[64 << 10];
        try {
            while (true) {
                socket.getOutputStream().write(piece);
            }
        } catch (IOException e) {
            assertTrue(e instanceof SocketException, e.toString());
        }
    }

    /** Repeated, since on a busy machine the grace may be over before the next connection is accepted. */
    @Test
    void aClientThatHasReadTheEndOfTlsMayConnectAgain() throws Exception {
        var acceptor = start(
                ThreadStrategy.virtual(),
                socket -> socket.getOutputStream().write('x'),
                TcpOptions.defaults().tls(context).maxConnections(1));
        await().atMost(PATIENCE).until(() -> {
            assertTrue(acceptor.awaitConnections(0, PATIENCE));
            try (var first = connectEncrypted(acceptor)) {
                assertEquals('x', first.getInputStream().read());
                assertEquals(-1, first.getInputStream().read());
                return isAnswered(acceptor); // while the first one is open
            }
        });
    }

    private static boolean isAnswered(TcpAcceptor acceptor) throws IOException {
        try (var next = connectEncrypted(acceptor)) {
            return next.getInputStream().read() == 'x';
        } catch (SocketException reset) {
            return false;
        }
    }

    /** The other thread occupies the output, so that close_notify cannot be sent. */
    @ThreadKinds
    void aConnectionWhoseOutputCannotEndCountsAgainstTheLimit(ThreadStrategy strategy) throws Exception {
        var returned = new CompletableFuture<Void>();
        ConnectionHandler handler = socket -> {
            var out = socket.getOutputStream();
            Thread.startVirtualThread(() -> writeMuch(out));
            assertEquals('x', socket.getInputStream().read());
            returned.complete(null);
        };
        var acceptor =
                start(strategy, handler, TcpOptions.defaults().tls(context).maxConnections(1));
        try (var client = connectEncrypted(acceptor)) {
            assertEquals(0, client.getInputStream().read());
            client.getOutputStream().write('x');
            returned.join();
            await().atMost(PATIENCE)
                    .ignoreExceptionsInstanceOf(SocketException.class)
                    .until(() -> {
                        assertTrue(acceptor.awaitConnections(1, PATIENCE));
                        return isRefused(acceptor);
                    });
        }
        assertTrue(acceptor.awaitConnections(0, PATIENCE));
    }

    private static boolean isRefused(TcpAcceptor acceptor) throws IOException {
        TcpStats before = acceptor.stats();
        new Client(acceptor.port()).close();
        await().atMost(PATIENCE).until(() -> !acceptor.stats().equals(before));
        return acceptor.stats().refused() > before.refused();
    }

    /** More than the buffers of both sides can hold. */
    private static void writeMuch(OutputStream out) {
        try {
            out.write(new byte[100 << 20]);
        } catch (IOException e) {
            assertTrue(e.getMessage() != null);
        }
    }
}
