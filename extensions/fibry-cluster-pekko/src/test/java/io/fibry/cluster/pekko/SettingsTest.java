package io.fibry.cluster.pekko;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.cluster.ClusterOptions;
import org.junit.jupiter.api.Test;

/** The options of a node in Pekko's configuration. */
class SettingsTest {

    /** One setting disables both hooks of Pekko: that of the leave, and that of the connections. */
    @Test
    void aNodeLeavesAtTheExitOfTheJvmUnlessItsProgramClosesIt() {
        String hooks = "pekko.jvm-shutdown-hooks";
        ClusterOptions options = ClusterOptions.of("nodes", "127.0.0.1", 7001, "127.0.0.1:7001");
        assertTrue(Settings.of(options).getBoolean(hooks));
        assertFalse(Settings.of(options.leaveAtExit(false)).getBoolean(hooks));
        assertFalse(Settings.of(options.leaveAtExit(false).shards(5)).getBoolean(hooks), "kept by later changes");
    }
}
