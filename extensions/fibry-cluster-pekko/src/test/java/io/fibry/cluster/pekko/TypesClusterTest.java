package io.fibry.cluster.pekko;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.ActorStoppedException;
import io.fibry.Metric;
import io.fibry.cluster.Member;
import io.fibry.cluster.pekko.harness.Cluster;
import io.fibry.codec.RecordCodec;
import io.fibry.entity.Entities;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Nodes that host different types. The oldest node and the second one host nothing at first. */
@Timeout(180)
class TypesClusterTest {

    private static final Duration LONG = Duration.ofSeconds(60);
    private static final RecordCodec<String> WORDS = RecordCodec.of(String.class);

    private static final Nodes nodes = new Nodes();
    private static PekkoCluster oldest;
    private static PekkoCluster watcher;
    private static PekkoCluster host;

    @BeforeAll
    static void start() throws Exception {
        String seed = Nodes.freeAddress();
        oldest = nodes.join(Nodes.options(seed, seed));
        watcher = nodes.join(Nodes.options(Nodes.freeAddress(), seed));
        host = nodes.join(Nodes.options(Nodes.freeAddress(), seed));
    }

    @AfterAll
    static void stop() {
        nodes.close();
    }

    private static Entities<String, String, String> entities(PekkoCluster node, String type) {
        return node.entities(type, WORDS, WORDS, key -> word -> node.self().address());
    }

    private static Entities<String, String, String> client(PekkoCluster node, String type) {
        return node.client(type, WORDS, WORDS);
    }

    /** Returns the addresses of the nodes that answer for some keys. */
    private static Set<String> owners(Entities<String, String, String> entities) {
        Set<String> owners = new TreeSet<>();
        for (int i = 0; i < 20; i++) {
            owners.add(entities.ref("key" + i).ask("who", LONG).join());
        }
        return owners;
    }

    @Test
    void aNodeWithoutTypesNeitherStopsTheAllocationNorOwnsEntities() {
        Entities<String, String, String> hosted = entities(host, "hosted");
        assertEquals(Set.of(host.self().address()), owners(hosted));
        assertEquals(Set.of(host.self().address()), owners(client(oldest, "hosted")));
        assertEquals(Set.of(host.self().address()), owners(client(watcher, "hosted")));
        assertEquals(0, watcher.stats().shards());
    }

    @Test
    void theSystemOfANodeHasItsMetrics() {
        entities(host, "measured").ref("key").ask("who", LONG).join();
        Cluster.until("all are up", () -> metric("fibry.cluster.members{server=cluster-nodes, state=up}") == 3);
        Cluster.until("it is ready", () -> metric("fibry.cluster.ready{server=cluster-nodes}") == 1);
        assertTrue(metric("fibry.cluster.entities{server=cluster-nodes}") > 0);
        assertTrue(metric("fibry.cluster.round.trip{server=cluster-nodes}") > 0);
    }

    private static double metric(String name) {
        return host.system().metrics().stream()
                .filter(metric -> name.equals(metric.name() + new TreeMap<>(metric.tags())))
                .mapToDouble(Metric::value)
                .sum();
    }

    @Test
    void aNodeThatRegistersATypeLateReceivesItsShare() {
        Entities<String, String, String> late = entities(host, "late");
        assertEquals(Set.of(host.self().address()), owners(late));
        entities(oldest, "late");
        Set<String> both = Set.of(host.self().address(), oldest.self().address());
        Cluster.until("both own entities", () -> owners(client(watcher, "late")).equals(both));
    }

    @Test
    void aMessageToATypeThatNoNodeHostsFailsAtOnce() {
        var nowhere = client(oldest, "nowhere").ref("key");
        var members = oldest.members().stream().map(Member::id).toList();
        Cluster.until(
                "the types of all nodes are known", () -> oldest.directory().knows(members));
        Throwable failure = assertThrows(CompletionException.class, nowhere.ask("who", LONG)::join)
                .getCause();
        assertInstanceOf(ActorStoppedException.class, failure);
        assertTrue(failure.getMessage().contains("no node of the cluster has entities of type nowhere"));
        assertThrows(ActorStoppedException.class, () -> nowhere.tell("who"));
        entities(host, "nowhere");
        Cluster.until("the host is known", () -> oldest.directory().isHosted("nowhere"));
        assertEquals(host.self().address(), nowhere.ask("who", LONG).join());
    }

    @Test
    void closedEntitiesMoveToTheOtherHosts() {
        Entities<String, String, String> remaining = entities(oldest, "moving");
        Entities<String, String, String> closing = entities(host, "moving");
        Cluster.until("both own entities", () -> owners(remaining).size() == 2);
        closing.close();
        assertEquals(0, closing.size());
        assertEquals(Set.of(oldest.self().address()), owners(remaining));
        assertThrows(ActorStoppedException.class, () -> closing.ref("key").tell("who"));
        entities(host, "moving");
        Cluster.until("both own entities again", () -> owners(remaining).size() == 2);
    }

    @Test
    void theLastHostOfATypeCanCloseIt() {
        Entities<String, String, String> only = entities(host, "only");
        var ref = client(oldest, "only").ref("key");
        Cluster.until("the host is known", () -> oldest.directory().isHosted("only"));
        assertEquals(host.self().address(), ref.ask("who", LONG).join());
        only.close();
        Cluster.until("the close is known", () -> !oldest.directory().isHosted("only"));
        assertThrows(ActorStoppedException.class, () -> ref.tell("who"));
        entities(host, "only");
        Cluster.until("the host is known again", () -> oldest.directory().isHosted("only"));
        assertEquals(host.self().address(), ref.ask("who", LONG).join());
    }

    @Test
    void aTypeHasOneRegistrationPerNodeAndAnyNumberOfClients() {
        entities(host, "once");
        assertThrows(IllegalStateException.class, () -> entities(host, "once"));
        assertEquals(
                List.of(host.self().address()),
                List.of(client(host, "once").ref("key").ask("who", LONG).join()));
    }
}
