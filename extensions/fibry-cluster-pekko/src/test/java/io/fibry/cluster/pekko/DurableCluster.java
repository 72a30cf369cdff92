package io.fibry.cluster.pekko;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.cluster.pekko.harness.Cluster;
import io.fibry.cluster.pekko.harness.Entry;
import io.fibry.cluster.pekko.harness.Events;
import io.fibry.cluster.pekko.harness.Events.Result;
import io.fibry.cluster.pekko.harness.Journals;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Timeout;

/**
 * A state that an ask has confirmed survives the leave of a node, {@code kill -9}, and a node that resumes after the
 * others have taken over. Each confirmed count of a key is unique, and the last count is not below any of them.
 * {@code -Dcluster.runs=10} is the long form. A class for each store, so that they run at the same time.
 */
@Timeout(1_200)
abstract class DurableCluster {

    private static final int RUNS = Integer.getInteger("cluster.runs", 1);
    private static final int RATE = 200;
    private static final int KEYS = 20;

    /** Longer than the takeover takes. */
    private static final Duration FREEZE = Duration.ofSeconds(12);

    /** The highest confirmed count of each key. */
    private final Map<String, Long> highest = new HashMap<>();

    private int confirmed;

    /** @param freezes whether a frozen node does not stop the store */
    final void survives(String store, String address, boolean freezes) throws Exception {
        Path folder = Path.of("target", "cluster-" + store);
        try (Cluster cluster = Cluster.start(folder, 3, Map.of(store, address, "asksOfTen", "10", "drain", "2000"))) {
            var events = new Events(cluster, RATE, KEYS, 1);
            for (int run = 0; run < RUNS; run++) {
                String victim = "n" + (run % 2 + 1); // n1 is first, and serves the file
                check(cluster, events.kill(victim));
                check(cluster, events.leave("n3"));
                if (freezes) {
                    check(cluster, events.freeze("n3", FREEZE));
                }
            }
            assertTrue(confirmed > 200 * RUNS, "too few: " + confirmed);
            System.out.println("measured: " + store + ", " + confirmed + " confirmed, none missing");
        }
    }

    /** Checks all confirmed counts of this round and of previous ones. */
    private void check(Cluster cluster, Result result) throws Exception {
        System.out.println("measured: " + result.text());
        assertEquals(0, result.report().violations(), () -> result.text() + " in " + result.round());
        Set<String> seen = new HashSet<>();
        Map<String, Long> before = Map.copyOf(highest);
        for (Entry entry : Journals.read(result.round()).entries()) {
            if (entry.kind() == Entry.Kind.ANSWERED) {
                confirmed++;
                long count = Long.parseLong(entry.text());
                assertTrue(seen.add(entry.key() + " " + count), () -> "confirmed twice: " + entry);
                assertTrue(count > before.getOrDefault(entry.key(), 0L), () -> "lost before: " + entry);
                highest.merge(entry.key(), count, Math::max);
            }
        }
        for (Map.Entry<String, Long> last : highest.entrySet()) {
            String[] reply = cluster.node("n3")
                    .ask("ask counter " + last.getKey() + " 60000 0")
                    .split(" ", -1);
            long count = Long.parseLong(reply[2]);
            assertTrue(count > last.getValue(), () -> last + " was confirmed, and now it is " + count);
            last.setValue(count);
        }
    }
}
