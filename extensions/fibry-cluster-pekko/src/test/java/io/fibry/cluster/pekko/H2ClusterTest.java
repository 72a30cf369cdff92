package io.fibry.cluster.pekko;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Nodes that store their state in an H2 file, which one of them serves. */
class H2ClusterTest extends DurableCluster {

    @Test
    @Guarantee(event = "planned move", of = "entity and state")
    @Guarantee(event = "kill -9, power failure", of = "entity and state")
    void confirmedCountsSurvive(@TempDir Path folder) throws Exception {
        survives("h2", folder.resolve("counts").toString(), false);
    }
}
