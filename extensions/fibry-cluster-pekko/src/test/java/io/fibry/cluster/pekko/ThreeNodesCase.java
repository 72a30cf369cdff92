package io.fibry.cluster.pekko;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.fibry.cluster.pekko.harness.Cluster;
import io.fibry.cluster.pekko.harness.Events;
import io.fibry.cluster.pekko.harness.Events.Result;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.AfterTestExecutionCallback;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * A cluster of three processes under load. After each test, all nodes are up again. The tests print their measurements.
 * {@code -Dcluster.runs=10} is the long form; {@code -Dcluster.failover=DEFAULT} measures the other profile.
 */
@Timeout(2_400) // the long form
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
abstract class ThreeNodesCase {

    static final int RUNS = Integer.getInteger("cluster.runs", 1);
    static final int KEYS = 100;

    private static final int RATE = Integer.getInteger("cluster.rate", 800);
    private static final String FAILOVER = System.getProperty("cluster.failover", "FAST");

    static Cluster cluster;
    static Events events;

    @RegisterExtension
    static final AfterTestExecutionCallback LOGS = context -> {
        if (context.getExecutionException().isPresent()) {
            cluster.printLogs();
        }
    };

    @BeforeAll
    static void start(TestInfo test) throws Exception {
        long start = System.nanoTime();
        String folder = test.getTestClass().orElseThrow().getSimpleName();
        cluster = Cluster.start(Path.of("target", folder), 3, Map.of("drain", "3000", "failover", FAILOVER));
        measured("three nodes are up after " + (System.nanoTime() - start) / 1_000_000 + " ms");
        events = new Events(cluster, RATE, KEYS, 1);
    }

    @AfterAll
    static void stop() throws Exception {
        if (cluster != null) {
            cluster.close();
        }
    }

    static void measured(String text) {
        System.out.println("measured: " + text);
    }

    static Result checked(Result result) {
        measured(result.text());
        assertEquals(0, result.report().violations(), () -> result.text() + "; the journals are in " + cluster.round());
        return result;
    }
}
