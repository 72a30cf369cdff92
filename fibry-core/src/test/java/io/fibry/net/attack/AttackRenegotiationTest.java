package io.fibry.net.attack;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.fibry.testing.ServerProcess;
import io.fibry.testing.WithCertificate;
import java.io.EOFException;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Clients that renegotiate, which costs the server more than them. Each loses its connection, and the others are
 * served.
 */
@Timeout(300)
class AttackRenegotiationTest extends WithCertificate {

    private static final int CLIENTS = Attack.size(20, 1000);
    private static final String REQUEST = "GET /hello HTTP/1.1\r\nHost: localhost\r\n\r\n";

    @ParameterizedTest
    @CsvSource({"tcp, virtual", "tcp, platform", "https, virtual", "https, platform"})
    void aRenegotiatingClientLosesItsConnection(String name, String strategy) throws Exception {
        String keys = certificate.file().toString();
        List<String> options = List.of("-Dtimeout=300");
        try (var server = name.equals("tcp")
                ? ServerProcess.startWith(options, TcpVictim.class, strategy, "encrypted", keys)
                : ServerProcess.startWith(options, AttackedHttpServer.class, strategy, "0", keys)) {
            awaitAnswer(server.port());
            long others = server.sockets();
            for (int i = 0; i < CLIENTS; i++) {
                try (var attacker = connect(server.port(), "TLSv1.2")) {
                    assertAnswers(attacker);
                    assertThrows(IOException.class, () -> {
                        attacker.startHandshake();
                        assertAnswers(attacker);
                    });
                }
                try (var honest = connect(server.port(), i % 2 == 0 ? "TLSv1.2" : "TLSv1.3")) {
                    assertAnswers(honest);
                    assertAnswers(honest);
                }
            }
            await().atMost(Duration.ofSeconds(60)).until(() -> server.sockets() <= others);
        }
    }

    private static SSLSocket connect(int port, String version) throws IOException {
        var socket = (SSLSocket) context.getSocketFactory().createSocket("127.0.0.1", port);
        socket.setSoTimeout(30_000);
        socket.setEnabledProtocols(new String[] {version});
        return socket;
    }

    /** An echo, or the beginning of a page. */
    private static void assertAnswers(SSLSocket socket) throws IOException {
        socket.getOutputStream().write(REQUEST.getBytes(ISO_8859_1));
        var answer = new StringBuilder();
        while (!answer.toString().endsWith("\r\n\r\nhello")
                && !answer.toString().equals(REQUEST)) {
            int next = socket.getInputStream().read();
            if (next < 0) {
                throw new EOFException("after: " + answer);
            }
            answer.append((char) next);
        }
    }

    /** The first handshakes of a JVM may take longer than the timeout of the server. */
    private static void awaitAnswer(int port) {
        await().atMost(Duration.ofSeconds(60))
                .ignoreExceptionsInstanceOf(IOException.class)
                .until(() -> {
                    try (var socket = connect(port, "TLSv1.2")) {
                        assertAnswers(socket);
                        return true;
                    }
                });
    }
}
