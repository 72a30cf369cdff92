package io.fibry.net.attack;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.testing.Client;
import io.fibry.testing.ServerProcess;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Two handlers in endless computation, on two cores. Whatever thread they run on, connections are still accepted, and a
 * server on platform threads in the same JVM still answers. A server on virtual threads answers others only if there
 * are more carrier threads than such handlers; therefore handlers that compute belong on platform threads.
 */
@Timeout(120)
class AttackSpinTest {

    private static final Logger LOG = LoggerFactory.getLogger(AttackSpinTest.class);
    private static final int ANSWERS = Attack.size(3, 100);

    private static List<String> twoCoresAnd(int carriers) {
        return List.of(
                "-XX:ActiveProcessorCount=2",
                "-Djdk.virtualThreadScheduler.parallelism=" + carriers,
                "-Djdk.virtualThreadScheduler.maxPoolSize=" + carriers);
    }

    /** A server, the number of carrier threads, and whether it serves others. */
    @ParameterizedTest
    @CsvSource({"virtual, 2, false", "virtual, 3, true", "platform, 2, true"})
    void spinningHandlersDoNotPreventAccepts(String strategy, int carriers, boolean serves) throws Exception {
        try (var server = ServerProcess.startWith(twoCoresAnd(carriers), TcpVictim.class, strategy, "spin");
                var one = new Client(server.port());
                var two = new Client(server.port())) {
            one.send("s");
            two.send("s");
            await().atMost(Duration.ofSeconds(30)).until(() -> server.number("spinning") == 2);
            int healthPort = (int) server.number("health port");
            var healthy = new Slowest();
            var accepted = new Slowest();
            List<Client> others = new ArrayList<>();
            for (int i = 0; i < ANSWERS; i++) {
                healthy.add(() -> assertIsHealthy(healthPort));
                others.add(new Client(server.port()).send("a"));
                accepted.add(() -> awaitAccepted(server, 2 + others.size()));
                if (serves) {
                    assertEquals("x", others.getLast().receiveAll());
                }
            }
            LOG.info("Two handlers spin, {} {}: health: {}; accepts: {}", strategy, carriers, healthy, accepted);
            server.ask("stop spinning");
            assertEquals("xx", one.receiveAll() + two.receiveAll());
            for (Client other : others) {
                assertEquals(serves ? "" : "x", other.receiveAll());
                other.close();
            }
        }
    }

    private static void assertIsHealthy(int port) throws IOException {
        try (var health = new Client(port)) {
            assertEquals("well", health.send("well").end().receiveAll());
        }
    }

    private static void awaitAccepted(ServerProcess server, int n) throws IOException {
        while (server.number("accepted") < n) {
            assertTrue(server.isAlive());
        }
    }
}
