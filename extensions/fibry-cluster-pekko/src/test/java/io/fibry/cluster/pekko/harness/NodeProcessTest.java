package io.fibry.cluster.pekko.harness;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A single node executes the commands of its parent. */
@Timeout(180)
class NodeProcessTest {

    @TempDir
    Path folder;

    private Cluster cluster;
    private NodeProcess node;

    @BeforeEach
    void start() throws IOException {
        cluster = Cluster.start(folder.resolve("cluster"), 1, Map.of());
        node = cluster.node("n1");
    }

    @AfterEach
    void close() throws IOException {
        cluster.close();
    }

    @Test
    void aNodeDoesNotOutliveItsParent() throws Exception {
        node.ask("later counter k1 1 60000 60000"); // a running ask does not prevent the exit
        assertEquals(1, node.hangUp());
    }

    @Test
    void aFrozenNodeDoesNothingUntilItWakes() throws Exception {
        long time = Long.parseLong(node.ask("time"));
        assertTrue(Math.abs(System.nanoTime() - time) < Duration.ofMinutes(3).toNanos(), "one clock for all");
        cluster.freeze("n1");
        var answer = new FutureTask<>(() -> node.ask("time"));
        Thread asker = Thread.ofPlatform().start(answer);
        Cluster.until("the asker waits", () -> asker.getState() == Thread.State.TIMED_WAITING || answer.isDone());
        long woken = System.nanoTime();
        cluster.wake("n1");
        assertTrue(Long.parseLong(answer.get()) > woken);
    }
}
