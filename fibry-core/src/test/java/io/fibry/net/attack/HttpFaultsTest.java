package io.fibry.net.attack;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.testing.Client;
import io.fibry.testing.ServerProcess;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Clients that half-close, that reset while the server reads or writes, that do not read, and handlers that throw every
 * kind of throwable, or give up. The server accepts few connections, and none of them may get lost.
 */
@Timeout(300)
class HttpFaultsTest {

    private static final String CONNECTIONS = "20";
    private static final int WAVE = 15;
    private static final int ROUNDS = Attack.size(60, 1000);
    private static final String HEAD = " HTTP/1.1\r\nHost: localhost\r\n";

    /** No connection is released by a timeout. */
    private static final List<String> PATIENT = List.of("-Dtimeout=300");

    @ParameterizedTest
    @ValueSource(strings = {"virtual", "platform"})
    void faultsStayWithinTheirConnection(String strategy) throws Exception {
        try (var server = ServerProcess.startWith(PATIENT, AttackedHttpServer.class, strategy, CONNECTIONS)) {
            Raw.awaitAnswer(server.port());
            long sockets = server.sockets();
            for (int i = 0; i < ROUNDS; i++) {
                new Client(server.port())
                        .send("POST /" + HEAD + "Content-Length: 10\r\n\r\n12345")
                        .reset();
                resetAmidItsResponse(server);
                Raw.awaitAnswer(server.port());
                assertFails(server, "/fail");
                assertFails(server, "/error");
                Raw.get(server.port(), "/abort"); // its handler closes the exchange in the middle of the response
                assertHalfCloses(server);
            }
            await().atMost(Duration.ofSeconds(60)).until(() -> server.sockets() <= sockets);
            for (String line : new String[] {"failed to handle GET /fail", "failed to handle GET /error"}) {
                await().atMost(Duration.ofSeconds(60)).until(() -> server.logLines(line) > 0); // one a second
                assertTrue(server.logLines(line) <= ROUNDS);
            }
            assertTrue(server.logLines("was cut short") + server.logLines("got no response") > 0);
        }
    }

    /**
     * More than the maximum number of connections, one wave after the other; the waves would stop if they kept their
     * connections.
     */
    @ParameterizedTest
    @ValueSource(strings = {"virtual", "platform"})
    void aClientThatReadsNothingOfAResponseLosesItsConnection(String strategy) throws Exception {
        List<String> impatient = List.of("-Dtimeout=300", "-Dwrite=1");
        try (var server = ServerProcess.startWith(impatient, AttackedHttpServer.class, strategy, CONNECTIONS)) {
            long sockets = server.sockets();
            for (int wave = 1; wave <= Attack.size(2, 20); wave++) {
                Raw.awaitAnswer(server.port());
                List<Client> clients = new ArrayList<>();
                for (int i = 0; i < WAVE; i++) {
                    String path = i % 2 == 0 ? "/stream" : "/chunks";
                    clients.add(new Client(server.port()).send("GET " + path + HEAD + "\r\n"));
                }
                await().atMost(Duration.ofSeconds(60)).until(() -> server.sockets() <= sockets);
                for (Client client : clients) {
                    client.close();
                }
            }
            Raw.awaitAnswer(server.port());
        }
    }

    private static void resetAmidItsResponse(ServerProcess server) throws IOException {
        var client = new Client(server.port()).send("GET /stream" + HEAD + "\r\n");
        client.receive(1000);
        client.reset();
    }

    private static void assertFails(ServerProcess server, String path) throws IOException {
        String response = Raw.get(server.port(), path);
        assertTrue(response.startsWith("HTTP/1.1 500 "), response);
        assertTrue(response.endsWith("\r\n\r\nInternal Server Error"), response);
    }

    private static void assertHalfCloses(ServerProcess server) throws IOException {
        try (var client = new Client(server.port())) {
            String response = client.send("GET /hello" + HEAD + "\r\n").end().receiveAll();
            assertTrue(response.endsWith("\r\n\r\nhello"), response);
        }
    }
}
