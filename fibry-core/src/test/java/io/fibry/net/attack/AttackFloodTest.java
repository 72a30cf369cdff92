package io.fibry.net.attack;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.testing.Client;
import io.fibry.testing.ServerProcess;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Far more connections than are allowed, against 64 MB of heap: connections beyond the limit are refused, the others
 * served.
 */
@Timeout(300)
class AttackFloodTest {

    private static final int LIMIT = Attack.size(100, 1000);
    private static final int FLOOD = Attack.size(2000, 20_000);
    private static final int AT_ONCE = 50;
    private static final long FLAT = 4 << 20;

    @ParameterizedTest
    @ValueSource(strings = {"virtual", "platform"})
    void aFloodIsRefusedAndTheOthersAreServed(String strategy) throws Exception {
        try (var server = ServerProcess.start(TcpVictim.class, strategy, "echo", Integer.toString(LIMIT))) {
            long sockets = server.sockets();
            List<Client> served = new ArrayList<>();
            for (int i = 0; i < LIMIT; i++) {
                var client = new Client(server.port());
                assertEquals("x", client.send("x").receive(1));
                served.add(client);
            }
            long heap = server.number("heap");
            try (var flood = Executors.newFixedThreadPool(AT_ONCE)) {
                List<Future<Boolean>> refused = new ArrayList<>();
                for (int i = LIMIT; i < FLOOD; i++) {
                    refused.add(flood.submit(() -> Client.isRefused(server.port())));
                }
                for (int i = LIMIT; i < FLOOD; i++) {
                    assertEquals("y", served.get(i % LIMIT).send("y").receive(1));
                    assertTrue(refused.get(i - LIMIT).get());
                }
            }
            assertEquals(FLOOD - LIMIT, server.number("refused"));
            assertEquals(LIMIT, server.number("connections"));
            long more = server.number("heap") - heap;
            assertTrue(more < FLAT, more + " bytes more than before the flood");
            for (Client client : served) {
                client.close();
            }
            assertEquals("true", server.ask("all gone"));
            await().atMost(Duration.ofSeconds(60)).until(() -> server.sockets() == sockets);
            try (var client = new Client(server.port())) {
                assertEquals("recovered", client.send("recovered").end().receiveAll());
            }
        }
    }
}
