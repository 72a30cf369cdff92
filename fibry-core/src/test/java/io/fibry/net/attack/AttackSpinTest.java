package io.fibry.net.attack;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.fibry.testing.Client;
import io.fibry.testing.ServerProcess;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Two handlers that compute for ever, on two cores. Whatever they run on, connections are still accepted, and a server on
 * platform threads in the same JVM still answers. A server on virtual threads answers no one else meanwhile: that is what
 * virtual threads are, and why handlers that compute belong on platform threads.
 */
@Timeout(120)
class AttackSpinTest {

    private static final List<String> TWO_CORES = List.of(
            "-XX:ActiveProcessorCount=2",
            "-Djdk.virtualThreadScheduler.parallelism=2",
            "-Djdk.virtualThreadScheduler.maxPoolSize=2");

    @ParameterizedTest
    @ValueSource(strings = {"virtual", "platform"})
    void handlersThatSpinKeepNobodyFromBeingAccepted(String strategy) throws Exception {
        try (var server = ServerProcess.startWith(TWO_CORES, TcpVictim.class, strategy, "spin");
                var one = new Client(server.port());
                var two = new Client(server.port())) {
            one.send("s");
            two.send("s");
            await().atMost(Duration.ofSeconds(30)).until(() -> server.number("spinning") == 2);
            try (var health = new Client((int) server.number("health port"));
                    var other = new Client(server.port())) {
                assertEquals("well", health.send("well").end().receiveAll());
                await().atMost(Duration.ofSeconds(30)).until(() -> server.number("accepted") == 3);
                other.send("a");
                if (strategy.equals("platform")) {
                    assertEquals("x", other.receive(1));
                }
                server.ask("stop spinning");
                assertEquals("x", one.receiveAll() + other.receiveAll().replace("x", ""));
            }
        }
    }
}
