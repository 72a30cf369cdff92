package io.fibry.cluster.pekko;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.cluster.ClusterOptions;
import io.fibry.cluster.pekko.harness.Ports;
import io.fibry.codec.RecordCodec;
import io.fibry.entity.Entities;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The memory of a node and of its entities. */
@Timeout(300)
class HeapClusterTest {

    private static final int ENTITIES = 20_000;
    private static final int FIRST = 100;
    private static final Duration LONG = Duration.ofSeconds(60);

    record Add(int number) {}

    record Sum(long value) {}

    @Test
    void aNodeNeeds20MegabytesAndAnEntity3Kilobytes() throws Exception {
        long before = used();
        int port = Ports.free("127.0.0.1");
        try (PekkoCluster cluster =
                PekkoCluster.join(ClusterOptions.of("heap", "127.0.0.1", port, "127.0.0.1:" + port))) {
            Entities<String, Add, Sum> sums =
                    cluster.entities("sum", RecordCodec.of(Add.class), RecordCodec.of(Sum.class), key -> {
                        long[] sum = {0};
                        return add -> new Sum(sum[0] += add.number());
                    });
            askAll(sums, 0, FIRST); // all shards
            long empty = used();
            askAll(sums, FIRST, FIRST + ENTITIES);
            assertEquals(FIRST + ENTITIES, sums.size());
            double kilobytes = (used() - empty) / 1024.0 / ENTITIES;
            double megabytes = (empty - before) / 1024.0 / 1024.0;
            System.out.printf("measured: a node %.1f MB, an entity %.2f KB%n", megabytes, kilobytes);
            assertTrue(megabytes <= 20, () -> "a node needs " + megabytes + " MB");
            assertTrue(kilobytes <= 3, () -> "an entity needs " + kilobytes + " KB");
        }
    }

    private static void askAll(Entities<String, Add, Sum> sums, int from, int to) {
        for (int i = from; i < to; i++) {
            CompletableFuture<Sum> sum = sums.ref("key-" + i).ask(new Add(i), LONG);
            assertEquals(i, sum.join().value());
        }
    }

    /**
     * Returns the used heap after several collections: the first ones may retain objects with finalizers or cleaners.
     */
    private static long used() {
        for (int i = 0; i < 4; i++) {
            System.gc();
        }
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }
}
