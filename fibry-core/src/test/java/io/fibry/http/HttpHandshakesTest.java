package io.fibry.http;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.ActorSystem;
import io.fibry.ThreadStrategy;
import io.fibry.testing.LogLines;
import io.fibry.testing.NoLeftovers;
import io.fibry.testing.ThreadKinds;
import io.fibry.testing.WithCertificate;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HexFormat;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** TLS handshakes that fail are counted and logged. */
@ExtendWith(NoLeftovers.class)
@Timeout(120)
class HttpHandshakesTest extends WithCertificate {

    private static final String TLS_1_1 = "0302";
    private static final String TLS_1_2 = "0303";
    private static final String ECDHE_ECDSA_AES_128_GCM = "c02b";
    private static final String RC4_MD5 = "0004";

    private final ActorSystem system = ActorSystem.create();
    private LogLines log;

    @BeforeEach
    void readLog() {
        log = new LogLines();
    }

    @AfterEach
    void close() {
        system.close();
        log.close();
    }

    private HttpServerActor start(ThreadStrategy strategy, HttpOptions options) {
        return HttpServerActor.start(
                system.actor("web").strategy(strategy), 0, HttpRoutes.all(exchange -> "secret"), options);
    }

    private static HttpOptions tls() {
        return HttpOptions.defaults().tls(context);
    }

    /** Sends bytes, and waits until the server has closed the connection. */
    private static void send(HttpServerActor server, byte[] bytes) throws IOException {
        try (var socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            socket.setSoTimeout(60_000);
            socket.getOutputStream().write(bytes);
            try {
                socket.getInputStream().readAllBytes();
            } catch (IOException reset) {
                assertFalse(reset instanceof SocketTimeoutException);
            }
        }
    }

    /** A ClientHello of this version with one cipher suite and no extensions. */
    private static byte[] hello(String version, String suite) {
        String body = version + "00".repeat(32) + "00" + "0002" + suite + "0100";
        String message = "01" + String.format("%06x", body.length() / 2) + body;
        String record = "160301" + String.format("%04x", message.length() / 2) + message;
        return HexFormat.of().parseHex(record);
    }

    private void assertRefused(HttpServerActor server, String reason) {
        await().atMost(Duration.ofSeconds(60))
                .untilAsserted(() -> assertEquals(1, server.stats().failedHandshakes()));
        await().atMost(Duration.ofSeconds(60))
                .untilAsserted(() -> assertEquals(
                        1,
                        log.with("WARN", "Actor web, the TLS handshake with ", " failed: ", reason)
                                .size(),
                        log.text()));
    }

    @ThreadKinds
    void plainTextIsNotAHandshake(ThreadStrategy strategy) throws Exception {
        var server = start(strategy, tls());
        send(server, "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(StandardCharsets.UTF_8));
        assertRefused(server, "SSLException: ");
    }

    @Test
    void anOldVersionIsRefused() throws Exception {
        var server = start(ThreadStrategy.virtual(), tls());
        send(server, hello(TLS_1_1, ECDHE_ECDSA_AES_128_GCM));
        assertRefused(server, "Client requested protocol TLSv1.1 is not enabled");
    }

    @Test
    void aCipherSuiteThatTheServerDoesNotHaveIsRefused() throws Exception {
        var server = start(ThreadStrategy.virtual(), tls());
        send(server, hello(TLS_1_2, RC4_MD5));
        assertRefused(server, "no cipher suites in common");
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
    void aClientWithoutTheCertificateThatItNeedsIsRefused(String version) throws Exception {
        var server = start(ThreadStrategy.virtual(), tls().tlsParameters(p -> p.setNeedClientAuth(true)));
        assertThrows(IOException.class, () -> get(server, certificate.contextWith(null), version));
        assertRefused(server, "Empty client certificate chain");
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
    void aClientThatRejectsTheCertificateIsCounted(String version) throws Exception {
        var trustsNone = SSLContext.getInstance("TLS");
        trustsNone.init(null, null, null);
        var server = start(ThreadStrategy.virtual(), tls());
        assertThrows(IOException.class, () -> get(server, trustsNone, version));
        assertRefused(server, "certificate_unknown");
    }

    private static String get(HttpServerActor server, SSLContext client, String version) throws IOException {
        try (var socket = (SSLSocket) client.getSocketFactory().createSocket("localhost", server.port())) {
            socket.setSoTimeout(60_000);
            socket.setEnabledProtocols(new String[] {version});
            socket.getOutputStream()
                    .write("GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
                            .getBytes(StandardCharsets.UTF_8));
            String response = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (response.isEmpty()) {
                throw new IOException("no response");
            }
            return response;
        }
    }

    @Test
    void otherCausesAreLoggedAtTheSameTime() throws Exception {
        var server = start(ThreadStrategy.virtual(), tls());
        send(server, hello(TLS_1_1, ECDHE_ECDSA_AES_128_GCM));
        send(server, hello(TLS_1_2, RC4_MD5));
        send(server, new byte[] {'G', 'E', 'T', ' ', '/', '\r', '\n'});
        await().atMost(Duration.ofSeconds(60))
                .untilAsserted(
                        () -> assertEquals(3, log.with("the TLS handshake").size(), log.text()));
        assertEquals(3, server.stats().failedHandshakes());
    }

    @Test
    void aCompleteHandshakeIsNotCounted() throws Exception {
        var server = start(ThreadStrategy.virtual(), tls());
        for (String version : new String[] {"TLSv1.2", "TLSv1.3"}) {
            assertTrue(get(server, context, version).endsWith("secret"));
        }
        server.close();
        assertEquals(0, server.stats().failedHandshakes());
        assertEquals(0, log.with("handshake").size());
    }

    /**
     * A check of the port by a load balancer; the Javadoc of {@link HttpStats} says that the server does not see the
     * others.
     */
    @Test
    void aDisconnectingClientIsNotCounted() throws Exception {
        var server = start(ThreadStrategy.virtual(), tls());
        new Socket(InetAddress.getLoopbackAddress(), server.port()).close();
        byte[] half = hello(TLS_1_2, ECDHE_ECDSA_AES_128_GCM);
        try (var socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            socket.getOutputStream().write(half, 0, 20);
        }
        assertTrue(get(server, context, "TLSv1.3").endsWith("secret"));
        server.close();
        assertEquals(0, server.stats().failedHandshakes());
    }
}
