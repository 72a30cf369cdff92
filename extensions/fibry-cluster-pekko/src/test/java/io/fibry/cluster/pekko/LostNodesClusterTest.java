package io.fibry.cluster.pekko;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.fibry.cluster.pekko.harness.Events.Result;
import io.fibry.cluster.pekko.harness.Proxy;
import java.time.Duration;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;

/**
 * The guarantees for three nodes under load, with real processes that are killed, frozen and partitioned. The long form
 * also has {@code -Dcluster.freezes=5,20,30}.
 */
class LostNodesClusterTest extends ThreeNodesCase {

    private static final String FREEZES = System.getProperty("cluster.freezes", "12");

    @Test
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
}
