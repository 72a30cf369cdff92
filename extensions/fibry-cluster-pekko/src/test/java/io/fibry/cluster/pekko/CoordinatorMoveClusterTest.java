package io.fibry.cluster.pekko;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.cluster.ClusterOptions;
import io.fibry.cluster.Failover;
import io.fibry.codec.RecordCodec;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.locks.LockSupport;
import org.apache.pekko.actor.ActorNotFound;
import org.apache.pekko.actor.InternalActorRef;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The move of a coordinator to another node. */
@Timeout(300)
class CoordinatorMoveClusterTest {

    private static final Duration LONG = Duration.ofSeconds(30);

    /** The longer margin gives the test more time for the restart of a node. */
    private static ClusterOptions options(String address, String... seeds) {
        return Nodes.options(address, seeds).failover(Failover.DEFAULT);
    }

    private static void host(PekkoCluster node) {
        node.entities("moved", RecordCodec.of(String.class), RecordCodec.of(String.class), key -> word -> word);
    }

    /** Returns the coordinator on this node, or null if it runs on another one. */
    private static @Nullable InternalActorRef coordinator(PekkoCluster node) {
        try {
            return (InternalActorRef) node.pekko()
                    .actorSelection("/system/sharding/movedCoordinator/singleton")
                    .resolveOne(LONG)
                    .toCompletableFuture()
                    .join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof ActorNotFound) {
                return null;
            }
            throw e;
        }
    }

    private static InternalActorRef awaitCoordinator(PekkoCluster node) {
        InternalActorRef found = coordinator(node);
        while (found == null) {
            LockSupport.parkNanos(10_000_000); // the pause between two looks
            found = coordinator(node);
        }
        return found;
    }

    /**
     * The oldest node restarts with the same address, and then the next one leaves. The third node must request the
     * coordinator from the one that leaves, not from the restarted one, which would confirm that it runs none.
     */
    @Test
    void itEndsBeforeTheNextOneStarts() throws Exception {
        String seed = Nodes.freeAddress();
        String other = Nodes.freeAddress();
        try (var nodes = new Nodes()) {
            PekkoCluster oldest = nodes.join(options(seed, seed));
            PekkoCluster second = nodes.join(options(other, seed));
            PekkoCluster third = nodes.join(options(Nodes.freeAddress(), seed));
            List.of(oldest, second, third).forEach(CoordinatorMoveClusterTest::host);
            awaitCoordinator(oldest);
            oldest.close();
            host(nodes.join(options(seed, seed, other)));
            InternalActorRef former = awaitCoordinator(second);
            CompletableFuture<Void> left = CompletableFuture.runAsync(second::close, Thread::startVirtualThread);
            awaitCoordinator(third);
            assertTrue(former.isTerminated(), "two coordinators run at once");
            left.join();
        }
    }
}
