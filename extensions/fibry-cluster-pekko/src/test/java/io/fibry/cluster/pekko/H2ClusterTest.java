package io.fibry.cluster.pekko;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Nodes that store their state in an H2 file, which one of them serves. */
class H2ClusterTest extends DurableCluster {

    @Test
    void confirmedCountsSurviveAKill(@TempDir Path folder) throws Exception {
        killed("h2", folder.resolve("counts").toString());
    }
}
