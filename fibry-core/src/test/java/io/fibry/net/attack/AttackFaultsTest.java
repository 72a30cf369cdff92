package io.fibry.net.attack;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.fibry.testing.Client;
import io.fibry.testing.ServerProcess;
import java.time.Duration;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Clients that half-close, that reset while the server reads or writes, and handlers that throw every kind of
 * throwable.
 */
@Timeout(300)
class AttackFaultsTest {

    private static final int ROUNDS = Attack.size(50, 1000);

    @ParameterizedTest
    @ValueSource(strings = {"virtual", "platform"})
    void faultsStayWithinTheirConnection(String strategy) throws Exception {
        try (var server = ServerProcess.start(TcpVictim.class, strategy, "faults");
                var witness = new Client(server.port())) {
            witness.send("-");
            assertEquals("x", witness.send("x").receive(1));
            long sockets = server.sockets();
            for (int i = 0; i < ROUNDS; i++) {
                reset(server, "r"); // while the server reads
                reset(server, "w"); // while it writes
                new Client(server.port()).close();
                for (String failure : new String[] {"e", "E", "c"}) {
                    try (var client = new Client(server.port())) {
                        assertEquals("", client.send(failure).receiveAll());
                    }
                }
                try (var client = new Client(server.port())) {
                    assertEquals(
                            "half-closed", client.send("-half-closed").end().receiveAll());
                }
                assertEquals("x", witness.send("x").receive(1));
            }
            await().atMost(Duration.ofSeconds(60)).until(() -> server.number("connections") == 1);
            assertEquals(1 + 7L * ROUNDS, server.number("accepted"));
            assertEquals(3L * ROUNDS, server.logLines(": on purpose"));
            assertEquals(0, server.number("failed accepts"));
            await().atMost(Duration.ofSeconds(60)).until(() -> server.sockets() == sockets);
        }
    }

    private static void reset(ServerProcess server, String work) throws Exception {
        var client = new Client(server.port());
        client.send(work);
        if (work.equals("w")) {
            client.receive(1);
        }
        client.reset();
    }
}
