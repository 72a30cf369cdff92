package io.fibry.net.attack;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.testing.Client;
import io.fibry.testing.ServerProcess;
import io.fibry.testing.WithCertificate;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Clients that never finish their TLS handshake, or use a version that is no longer safe, with TCP and with HTTPS. */
@Timeout(300)
class AttackHandshakeTest extends WithCertificate {

    private static final int CLIENTS = Attack.size(60, 2000);

    /** Fewer than an HTTPS server accepts if its heap is 64 MB: one for each 256 KiB. */
    private static final int HTTPS_CLIENTS = Attack.size(60, 200);

    private static final int HTTPS_FLOOD = Attack.size(400, 2000);

    /** A ClientHello of TLS 1.1 with one cipher suite. */
    private static final byte[] OLD_HELLO =
            (hex(22, 3, 1, 0, 45, 1, 0, 0, 41, 3, 2) + "r".repeat(32) + hex(0, 0, 2, 0, 47, 1, 0)).getBytes(ISO_8859_1);

    @TempDir
    Path directory;

    private static String hex(int... bytes) {
        return new String(bytes, 0, bytes.length);
    }

    private static ServerProcess start(String server, String strategy, String... options) throws IOException {
        List<String> all = List.of(options);
        String keys = certificate.file().toString();
        return server.equals("tcp")
                ? ServerProcess.startWith(all, TcpVictim.class, strategy, "encrypted", keys)
                : ServerProcess.startWith(all, AttackedHttpServer.class, strategy, "0", keys);
    }

    /** Each costs a connection for the timeout, and nothing more. */
    @ParameterizedTest
    @CsvSource({"tcp, virtual", "tcp, platform", "https, virtual", "https, platform"})
    void endlessHandshakesDoNotExcludeOtherClients(String name, String strategy) throws Exception {
        try (var server = start(name, strategy)) {
            awaitAnswer(server);
            long others = server.sockets();
            long timedOut = name.equals("tcp") ? server.number("timed out") : 0;
            List<Client> clients = new ArrayList<>();
            int count = name.equals("tcp") ? CLIENTS : HTTPS_CLIENTS;
            for (int i = 0; i < count; i++) {
                clients.add(new Client(server.port()).send(i % 2 == 0 ? "" : "\26\3\1\2")); // or half a ClientHello
            }
            awaitAnswer(server);
            for (Client client : clients) {
                Raw.awaitEnd(client);
                client.close();
            }
            awaitAnswer(server);
            await().atMost(Duration.ofSeconds(60)).until(() -> server.sockets() <= others);
            assertEquals(0, server.logLines("OutOfMemoryError"));
            if (name.equals("tcp")) {
                assertTrue(server.number("timed out") >= timedOut + CLIENTS);
            }
        }
    }

    /**
     * More than there is memory for: connections beyond the limit are closed, and when the others have timed out, the
     * server continues.
     */
    @ParameterizedTest
    @ValueSource(strings = {"virtual", "platform"})
    void aFloodOfHandshakesDoesNotTakeTheMemory(String strategy) throws Exception {
        try (var server = start("https", strategy)) {
            awaitAnswer(server);
            long others = server.sockets();
            List<Client> clients = new ArrayList<>();
            for (int i = 0; i < HTTPS_FLOOD; i++) {
                var client = new Client(server.port());
                clients.add(client);
                Raw.trySend(client, i % 2 == 0 ? "" : "\26\3\1\2");
            }
            for (Client client : clients) {
                Raw.awaitEnd(client);
                client.close();
            }
            awaitAnswer(server);
            await().atMost(Duration.ofSeconds(60)).until(() -> server.sockets() <= others);
            assertEquals(0, server.logLines("OutOfMemoryError"));
        }
    }

    /** The JVM's security properties disable old versions. Here they do not, and the server itself has to. */
    @ParameterizedTest
    @ValueSource(strings = {"tcp", "https"})
    void anOldVersionIsRefusedAlsoWhereTheJvmAllowsIt(String name) throws Exception {
        Path properties = directory.resolve("security");
        Files.writeString(properties, "jdk.tls.disabledAlgorithms=\n");
        try (var server = start(name, "virtual", "-Djava.security.properties=" + properties)) {
            awaitAnswer(server);
            try (var client = new Client(server.port())) {
                client.send(OLD_HELLO);
                byte[] alert = client.receiveAllBytes();
                if (alert.length > 0 || name.equals("tcp")) { // Java 21's HTTP server closes without one
                    assertEquals(21, alert[0], "an alert");
                    assertEquals(70, alert[6], "protocol_version");
                }
            }
            awaitAnswer(server);
        }
    }

    /** The first handshakes of a JVM may take longer than the timeout of the server. */
    private static void awaitAnswer(ServerProcess server) {
        await().atMost(Duration.ofSeconds(60))
                .ignoreExceptionsInstanceOf(IOException.class)
                .until(() -> {
                    assertAnswers(server);
                    return true;
                });
    }

    private static void assertAnswers(ServerProcess server) throws IOException {
        try (var socket = context.getSocketFactory().createSocket("127.0.0.1", server.port())) {
            socket.setSoTimeout(30_000);
            byte[] request = "GET /hello HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".getBytes(ISO_8859_1);
            socket.getOutputStream().write(request);
            byte[] answer = socket.getInputStream().readNBytes(request.length);
            if (!Arrays.equals(request, answer)) { // not an echo, but the beginning of a page
                String rest = new String(socket.getInputStream().readAllBytes(), ISO_8859_1);
                assertTrue(rest.endsWith("\r\n\r\nhello"), new String(answer, ISO_8859_1) + rest);
            }
        }
    }
}
