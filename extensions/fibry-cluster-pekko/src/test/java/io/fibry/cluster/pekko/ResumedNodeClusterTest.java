package io.fibry.cluster.pekko;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.fibry.cluster.pekko.harness.Cluster;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A process that resumes when all other nodes of its cluster have been replaced. */
@Timeout(600)
class ResumedNodeClusterTest {

    @Test
    void itDoesNotStopTheNextCluster() throws Exception {
        try (Cluster cluster = Cluster.start(Path.of("target", "cluster-resumed"), 3, Map.of())) {
            cluster.freeze("n3");
            cluster.kill("n1");
            cluster.kill("n2");
            cluster.start("n1", "n2"); // they are a majority of the seeds
            Set<String> next = Set.of(cluster.address("n1") + "/UP", cluster.address("n2") + "/UP");
            Cluster.until(
                    "the next cluster is complete",
                    () -> cluster.members("n1").equals(next)
                            && cluster.members("n2").equals(next));
            cluster.wake("n3");
            Cluster.until(
                    "the resumed node stops",
                    () -> cluster.node("n3").ask("removed").equals("true"));
            assertEquals("false", cluster.node("n1").ask("removed"));
            assertEquals("false", cluster.node("n2").ask("removed"));
            assertEquals(next, cluster.members("n1"));
        }
    }
}
