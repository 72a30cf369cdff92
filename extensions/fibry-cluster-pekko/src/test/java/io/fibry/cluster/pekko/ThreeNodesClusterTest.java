package io.fibry.cluster.pekko;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.cluster.pekko.harness.Cluster;
import io.fibry.cluster.pekko.harness.Events;
import io.fibry.cluster.pekko.harness.Events.Result;
import io.fibry.cluster.pekko.harness.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
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
 * What is promised for three nodes, under load, with real processes that are killed, frozen and cut off. After each test all nodes are up
 * again. What is measured is printed. {@code -Dcluster.runs=10 -Dcluster.freezes=5,20,30} is the long form.
 */
@Timeout(1_200)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class ThreeNodesClusterTest {

    private static final int RUNS = Integer.getInteger("cluster.runs", 1);
    private static final int RATE = Integer.getInteger("cluster.rate", 800);
    private static final String FREEZES = System.getProperty("cluster.freezes", "5");
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
        cluster = Cluster.start(Path.of("target", "cluster"), 3, Map.of("drain", "2000"));
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
    void allReachAll() {
        measured("first answer: " + cluster.node("n2").ask("ask counter first 60000 0") + " us");
        Set<String> owners = new TreeSet<>(
                Arrays.asList(cluster.node("n1").ask("asks " + KEYS + " 60000").split(" ")));
        assertEquals(Set.of("n1", "n2", "n3"), owners, "each node has some entities");
        for (String name : cluster.names()) {
            cluster.node(name).ask("answers " + KEYS + " 60000");
            assertTrue(cluster.node(name).ask("events").contains("+counter/"), "it has learnt of its shards");
        }
    }

    @Test
    @Order(2)
    void nothingGetsLostAndTheOrderStays() throws Exception {
        assertEquals(0, checked(events.nothing(Duration.ofSeconds(3))).report().reordered());
    }

    @Test
    @Order(3)
    void rollingRestart() throws Exception {
        for (int run = 0; run < RUNS; run++) {
            Result result = checked(events.leave("n1", "n2", "n3"));
            assertEquals(0, result.report().lostToFaults(), result::text);
            assertTrue(result.report().reordered() * 1000 <= result.report().handled(), result::text);
        }
    }

    @Test
    @Order(4)
    void killed() throws Exception {
        for (int run = 0; run < RUNS; run++) {
            checked(events.kill("n1")); // since n2 and n3 have left after it, or the oldest again
            checked(events.kill("n3"));
        }
    }

    @Test
    @Order(5)
    void frozen() throws Exception {
        for (int run = 0; run < RUNS; run++) {
            for (String seconds : FREEZES.split(",", -1)) {
                checked(events.freeze("n2", Duration.ofSeconds(Long.parseLong(seconds))));
            }
        }
    }

    @Test
    @Order(6)
    void cutOff() throws Exception {
        for (int run = 0; run < RUNS; run++) {
            checked(events.separate(Proxy.State.HELD, Duration.ofSeconds(1), "n3"));
        }
    }
}
