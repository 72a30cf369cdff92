package io.fibry.cluster.pekko;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.fibry.cluster.pekko.harness.Cluster;
import io.fibry.cluster.pekko.harness.Events;
import io.fibry.cluster.pekko.harness.Events.Result;
import io.fibry.cluster.pekko.harness.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.AfterTestExecutionCallback;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * The guarantees for three nodes under load, with real processes that are killed, frozen and partitioned. After each
 * test, all nodes are up again. The test prints its measurements. {@code -Dcluster.runs=10 -Dcluster.freezes=5,20,30}
 * is the long form; {@code -Dcluster.failover=DEFAULT} measures the other profile.
 */
@Timeout(2_400) // the long form
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class LostNodesClusterTest {

    private static final int RUNS = Integer.getInteger("cluster.runs", 1);
    private static final int RATE = Integer.getInteger("cluster.rate", 800);
    private static final String FREEZES = System.getProperty("cluster.freezes", "12");
    private static final String FAILOVER = System.getProperty("cluster.failover", "FAST");
    private static final int KEYS = 100;

    private static Cluster cluster;
    private static Events events;

    @RegisterExtension
    static final AfterTestExecutionCallback LOGS = context -> {
        if (context.getExecutionException().isPresent()) {
            cluster.printLogs();
        }
    };

    @BeforeAll
    static void start() throws Exception {
        long start = System.nanoTime();
        cluster = Cluster.start(Path.of("target", "cluster-lost"), 3, Map.of("drain", "3000", "failover", FAILOVER));
        measured("three nodes are up after " + (System.nanoTime() - start) / 1_000_000 + " ms");
        events = new Events(cluster, RATE, KEYS, 1);
    }

    @AfterAll
    static void stop() throws Exception {
        if (cluster != null) {
            cluster.close();
        }
    }

    private static void measured(String text) {
        System.out.println("measured: " + text);
    }

    private static Result checked(Result result) {
        measured(result.text());
        assertEquals(0, result.report().violations(), () -> result.text() + "; the journals are in " + cluster.round());
        return result;
    }

    @Test
    @Order(1)
    void killed() throws Exception {
        for (int run = 0; run < RUNS; run++) {
            for (String victim : new String[] {"n1", "n3"}) { // n1 is the oldest, n3 the youngest
                events.awaitBalanced();
                checked(events.kill(victim));
            }
        }
    }

    @Test
    @Order(2)
    void frozen() throws Exception {
        for (int run = 0; run < RUNS; run++) {
            for (String seconds : FREEZES.split(",", -1)) {
                events.awaitBalanced();
                checked(events.freeze("n2", Duration.ofSeconds(Long.parseLong(seconds))));
            }
        }
    }

    @Test
    @Order(3)
    void cutOff() throws Exception {
        for (int run = 0; run < RUNS; run++) {
            events.awaitBalanced();
            checked(events.separate(Proxy.State.HELD, Duration.ofSeconds(1), "n3"));
        }
    }
}
