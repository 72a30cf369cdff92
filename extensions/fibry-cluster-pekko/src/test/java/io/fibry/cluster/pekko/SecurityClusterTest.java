package io.fibry.cluster.pekko;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.cluster.pekko.harness.Cluster;
import io.fibry.cluster.pekko.harness.Keys;
import io.fibry.cluster.pekko.harness.Noise;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.AfterTestExecutionCallback;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Two nodes with TLS resist and count foreign connections to their ports. */
@Timeout(300)
class SecurityClusterTest {

    private static final int CONNECTIONS = 10;

    private static Cluster cluster;
    private static Path otherKeys;

    @RegisterExtension
    static final AfterTestExecutionCallback LOGS = context -> {
        if (context.getExecutionException().isPresent()) {
            cluster.printLogs();
        }
    };

    @BeforeAll
    static void start(@TempDir Path folder) throws Exception {
        Path keys = Keys.make(folder.resolve("keys.p12"));
        otherKeys = Keys.make(folder.resolve("other.p12"));
        cluster = Cluster.of(Path.of("target", "cluster-tls"), 3, Map.of("tls", keys.toString(), "join", "30000"));
        cluster.start("n1", "n2");
        cluster.awaitUp();
    }

    @AfterAll
    static void stop() throws IOException {
        if (cluster != null) {
            cluster.close();
        }
    }

    private static void assertUnchanged() {
        Set<String> both = Set.of(cluster.address("n1") + "/UP", cluster.address("n2") + "/UP");
        assertEquals(both, cluster.members("n1"));
        assertEquals(both, cluster.members("n2"));
        cluster.node("n1").ask("answers 20 60000");
        cluster.node("n2").ask("answers 20 60000");
    }

    @Test
    void bothAnswer() {
        cluster.node("n1").ask("answers 20 60000");
        assertEquals(
                Set.of("n1", "n2"),
                new TreeSet<>(List.of(cluster.node("n2").ask("asks 20 60000").split(" ", -1))));
    }

    @Test
    void noise() throws Exception {
        long before = cluster.count("n1", "rejectedConnections");
        Noise.send("127.0.0.1", cluster.bindPort("n1"), CONNECTIONS);
        Cluster.until("all are counted", () -> cluster.count("n1", "rejectedConnections") >= before + CONNECTIONS);
        assertUnchanged();
    }

    @Test
    void aNodeWithACertificateOfAnotherAuthority() throws Exception {
        long before = cluster.count("rejectedConnections");
        String failure = cluster.startWith(Map.of("tls", otherKeys.toString(), "join", "5000"), "n3")
                .awaitNotJoined();
        System.out.println("measured: wrong certificate: " + failure);
        assertTrue(failure.contains("ClusterJoinException"), failure);
        assertTrue(failure.contains("TLS fails: "), failure);
        cluster.node("n3").close();
        Cluster.until("it is counted", () -> cluster.count("rejectedConnections") > before);
        assertUnchanged();
    }

    @Test
    void aSharedSecretSufficesForATrustedCluster(@TempDir Path folder) throws Exception {
        Map<String, String> options = Map.of("secret", "a secret of this cluster", "join", "30000");
        try (Cluster secret = Cluster.start(folder.resolve("secret"), 2, options)) {
            secret.node("n1").ask("answers 20 60000");
            secret.node("n2").ask("answers 20 60000");
            long before = secret.count("n1", "rejectedConnections");
            Noise.send("127.0.0.1", secret.bindPort("n1"), CONNECTIONS);
            Cluster.until("all are counted", () -> secret.count("n1", "rejectedConnections") >= before + CONNECTIONS);
            secret.awaitUp();
        }
    }

    @Test
    void aNodeWithOtherShards() throws Exception {
        String failure =
                cluster.startWith(Map.of("shards", "31", "join", "10000"), "n3").awaitNotJoined();
        System.out.println("measured: other shards: " + failure);
        assertTrue(failure.contains("ClusterJoinException"), failure);
        cluster.node("n3").close();
        assertUnchanged();
    }
}
