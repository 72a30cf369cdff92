package io.fibry.cluster.pekko;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.fibry.cluster.ClusterEvent;
import io.fibry.cluster.pekko.harness.Cluster;
import io.fibry.codec.RecordCodec;
import io.fibry.entity.Entities;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.InternalActorRef;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The allocation of shards if a part of the cluster does not respond. */
@Timeout(180)
class AllocationClusterTest {

    private static final Duration LONG = Duration.ofSeconds(80);
    private static final RecordCodec<String> WORDS = RecordCodec.of(String.class);

    private static final Nodes nodes = new Nodes();
    private static PekkoCluster oldest;
    private static PekkoCluster second;
    private static PekkoCluster third;

    @BeforeAll
    static void start() throws Exception {
        String seed = Nodes.freeAddress();
        oldest = nodes.join(Nodes.options(seed, seed));
        second = nodes.join(Nodes.options(Nodes.freeAddress(), seed));
        third = nodes.join(Nodes.options(Nodes.freeAddress(), seed));
    }

    @AfterAll
    static void stop() {
        nodes.close();
    }

    private static Entities<String, String, String> entities(String type) {
        for (PekkoCluster node : List.of(oldest, third)) {
            node.entities(type, WORDS, WORDS, key -> word -> word);
        }
        return second.entities(type, WORDS, WORDS, key -> word -> word);
    }

    private static InternalActorRef actor(PekkoCluster node, String path) {
        ActorRef actor = node.pekko()
                .actorSelection("/system/sharding/" + path)
                .resolveOne(Duration.ofSeconds(30))
                .toCompletableFuture()
                .join();
        return (InternalActorRef) actor;
    }

    /** Asks entities of most shards, and waits for the answers. */
    private static void askAll(Entities<String, String, String> entities) {
        List<CompletableFuture<String>> answers = IntStream.range(0, 200)
                .mapToObj(i -> entities.ref("key" + i).ask("who", LONG))
                .toList();
        answers.forEach(answer -> assertEquals("who", answer.join()));
    }

    @Test
    void aNodeThatStoresNoStateDoesNotStopIt() {
        Entities<String, String, String> entities = entities("stored");
        assertEquals("who", entities.ref("first").ask("who", LONG).join());
        InternalActorRef replicator = actor(third, "replicator");
        replicator.suspend();
        try {
            askAll(entities);
        } finally {
            replicator.resume(null);
        }
    }

    @Test
    void aCoordinatorThatDoesNotRespondIsReportedAndRestarted() {
        Entities<String, String, String> entities = entities("stalled");
        assertEquals("who", entities.ref("first").ask("who", LONG).join());
        var reported = new CompletableFuture<ClusterEvent>();
        oldest.onEvent(event -> {
            if (event instanceof ClusterEvent.AllocationStalled) {
                reported.complete(event);
            }
        });
        actor(oldest, "stalledCoordinator/singleton/coordinator").suspend();
        askAll(entities);
        assertEquals(new ClusterEvent.AllocationStalled("stalled"), reported.join());
        Cluster.until("all nodes are ready again", () -> oldest.isReady() && second.isReady() && third.isReady());
    }
}
