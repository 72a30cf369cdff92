package io.fibry.net.attack;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.testing.Client;
import io.fibry.testing.ServerProcess;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Far more connections than are allowed, against 64 MB of heap: connections beyond the limit are closed, the others
 * served on their connections, which are more than the JDK's server would keep by itself.
 */
@Timeout(300)
class HttpFloodTest {

    private static final int LIMIT = Attack.size(250, 1000);
    private static final int FLOOD = Attack.size(1500, 20_000);
    private static final int AT_ONCE = 50;
    private static final long FLAT = 4 << 20;

    /** Only the flood may cause the loss of connections. */
    private static final List<String> PATIENT = List.of("-Dtimeout=300");

    @ParameterizedTest
    @ValueSource(strings = {"virtual", "platform"})
    void aFloodIsRefusedAndTheOthersAreServed(String strategy) throws Exception {
        try (var server =
                ServerProcess.startWith(PATIENT, AttackedHttpServer.class, strategy, Integer.toString(LIMIT))) {
            List<Client> served = new ArrayList<>();
            for (int i = 0; i < LIMIT; i++) {
                var client = new Client(server.port());
                assertIsServed(client);
                served.add(client);
            }
            long heap = server.number("heap");
            try (var flood = Executors.newFixedThreadPool(AT_ONCE)) {
                List<Future<String>> refused = new ArrayList<>();
                for (int i = LIMIT; i < FLOOD; i++) {
                    refused.add(flood.submit(() -> receiveAll(server.port())));
                }
                for (int i = LIMIT; i < FLOOD; i++) {
                    assertIsServed(served.get(i % LIMIT));
                    assertEquals("", refused.get(i - LIMIT).get());
                }
            }
            long more = server.number("heap") - heap;
            assertTrue(more < FLAT, more + " bytes more than before the flood");
            for (Client client : served) {
                client.close();
            }
            Raw.awaitAnswer(server.port());
        }
    }

    private static String receiveAll(int port) throws IOException {
        try (var client = new Client(port)) {
            return client.receiveAll();
        }
    }

    private static void assertIsServed(Client client) throws IOException {
        client.send("GET /hello HTTP/1.1\r\nHost: localhost\r\n\r\n");
        String head = Raw.head(client);
        assertTrue(head.startsWith("HTTP/1.1 200 "), head);
        assertEquals("hello", client.receive(5));
    }
}
