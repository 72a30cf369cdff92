package io.fibry.net.attack;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.fibry.testing.Certificate;
import io.fibry.testing.Client;
import io.fibry.testing.ServerProcess;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Clients that never finish their TLS handshake: each costs a connection for the timeout, and nothing more. */
@Timeout(300)
class AttackHandshakeTest {

    private static final int CLIENTS = Attack.size(200, 2000);

    @ParameterizedTest
    @ValueSource(strings = {"virtual", "platform"})
    void handshakesThatNeverEndKeepNobodyOut(String strategy) throws Exception {
        try (var certificate = new Certificate();
                var server = ServerProcess.start(
                        TcpVictim.class,
                        strategy,
                        "encrypted",
                        certificate.file().toString())) {
            SSLContext context = certificate.context();
            assertEquals('x', echoed(context, server));
            assertEquals("true", server.ask("all gone"));
            long sockets = server.sockets();
            List<Client> clients = new ArrayList<>();
            for (int i = 0; i < CLIENTS; i++) {
                clients.add(new Client(server.port()).send(i % 2 == 0 ? "" : "\26\3\1\2")); // or half a ClientHello
            }
            assertEquals('x', echoed(context, server));
            for (Client client : clients) {
                assertThrows(IOException.class, client::receiveAll);
                client.close();
            }
            assertEquals("true", server.ask("all gone"));
            assertEquals(CLIENTS, server.number("timed out"));
            assertEquals('x', echoed(context, server));
            await().atMost(Duration.ofSeconds(60)).until(() -> server.sockets() == sockets);
        }
    }

    private static int echoed(SSLContext context, ServerProcess server) throws IOException {
        try (var socket = context.getSocketFactory().createSocket("127.0.0.1", server.port())) {
            socket.setSoTimeout(30_000);
            socket.getOutputStream().write('x');
            return socket.getInputStream().read();
        }
    }
}
