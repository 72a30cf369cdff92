package io.fibry.cluster.pekko;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.fibry.cluster.pekko.harness.Cluster;
import io.fibry.cluster.pekko.harness.Events.Result;
import io.fibry.cluster.pekko.harness.Proxy;
import java.time.Duration;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;

/**
 * The guarantees for three nodes under load, with real processes that are killed, frozen and partitioned. The long form
 * also has {@code -Dcluster.freezes=5,20,30}.
 */
class LostNodesClusterTest extends ThreeNodesCase {

    private static final String FREEZES = System.getProperty("cluster.freezes", "12");

    @Test
    @Guarantee(
            event = "kill -9, power failure",
            of = {"tell", "ask"})
    @Order(1)
    void killed() throws Exception {
        for (int run = 0; run < RUNS; run++) {
            for (String victim : new String[] {"n1", "n3"}) { // n1 is the oldest, n3 the youngest
                events.awaitBalanced();
                checked(events.kill(victim));
                cluster.awaitSingleton();
            }
        }
    }

    @Test
    @Guarantee(
            event = "a frozen process resumes after the takeover",
            of = {"tell", "ask"})
    @Order(2)
    void frozen() throws Exception {
        for (int run = 0; run < RUNS; run++) {
            for (String seconds : FREEZES.split(",", -1)) {
                events.awaitBalanced();
                checked(events.freeze("n2", Duration.ofSeconds(Long.parseLong(seconds))));
                cluster.awaitSingleton();
            }
        }
    }

    @Test
    @Guarantee(
            event = "a node without the majority",
            of = {"tell", "ask", "entity and state"})
    @Order(3)
    void cutOff() throws Exception {
        for (int run = 0; run < RUNS; run++) {
            events.awaitBalanced();
            checked(events.separate(Proxy.State.HELD, Duration.ofSeconds(1), "n3"));
            cluster.awaitSingleton();
        }
    }

    @Test
    @Order(4)
    void mute() throws Exception {
        for (int run = 0; run < RUNS; run++) {
            events.awaitBalanced();
            checked(events.mute("n1", Duration.ofSeconds(1)));
            cluster.awaitSingleton();
        }
    }

    @Test
    @Order(5)
    void slow() throws Exception {
        for (int run = 0; run < RUNS; run++) {
            Result result = checked(events.slow("n2", Duration.ofSeconds(5)));
            assertEquals(0, result.report().lostToFaults(), result::text);
        }
    }

    @Test
    @Order(6)
    void clockSet() throws Exception {
        Assumptions.assumeTrue(Cluster.hasClocks(), "libfaketime is not installed");
        for (int run = 0; run < RUNS; run++) {
            for (int hours : new int[] {2, -2}) {
                Result result = checked(events.setClock("n1", Duration.ofHours(hours), Duration.ofSeconds(2)));
                assertEquals(0, result.report().lostToFaults(), result::text);
            }
        }
    }
}
