package io.fibry.cluster.pekko;

import static io.fibry.cluster.pekko.harness.Cluster.until;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.cluster.ClusterJoinException;
import io.fibry.cluster.Member;
import io.fibry.cluster.pekko.Packet.Contact;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.ExtendedActorSystem;
import org.apache.pekko.actor.Identify;
import org.apache.pekko.cluster.Cluster;
import org.apache.pekko.pattern.Patterns;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How nodes find a cluster, and when they form one. */
@Timeout(180)
class SeedsClusterTest {

    private final Nodes nodes = new Nodes();

    @AfterEach
    void stop() {
        nodes.close();
    }

    private static Set<String> addresses(PekkoCluster node) {
        return node.members().stream().map(Member::address).collect(Collectors.toSet());
    }

    @Test
    void oneClusterIsFormedRegardlessOfTheOrderOfTheSeeds() throws Exception {
        String[] seeds = {Nodes.freeAddress(), Nodes.freeAddress(), Nodes.freeAddress()};
        List<PekkoCluster> all = nodes.joinAll(seeds);
        PekkoCluster other = nodes.join(Nodes.options(Nodes.freeAddress(), seeds[2], seeds[1], seeds[0]));
        until("four members", () -> addresses(all.getFirst()).size() == 4);
        for (PekkoCluster node : all) {
            until("the same members", () -> addresses(node).equals(addresses(other)));
        }
    }

    @Test
    void aMinorityOfTheSeedsFormsNoCluster() throws Exception {
        String seed = Nodes.freeAddress();
        var options = Nodes.options(seed, seed, Nodes.freeAddress(), Nodes.freeAddress())
                .joinTimeout(Duration.ofSeconds(8));
        String message = assertThrows(ClusterJoinException.class, () -> nodes.join(options))
                .getMessage();
        assertTrue(message.contains("at least 2 of the seeds"), message);
    }

    @Test
    void theOnlySeedFindsTheClusterAfterItsRestart() throws Exception {
        seedRestarts(false);
    }

    @Test
    void theOnlySeedFindsTheClusterAfterItsRemoval() throws Exception {
        seedRestarts(true);
    }

    private void seedRestarts(boolean afterRemoval) throws Exception {
        String seed = Nodes.freeAddress();
        PekkoCluster first = nodes.join(Nodes.options(seed, seed));
        PekkoCluster second = nodes.join(Nodes.options(Nodes.freeAddress(), seed));
        PekkoCluster third = nodes.join(Nodes.options(Nodes.freeAddress(), seed));
        Nodes.kill(first);
        if (afterRemoval) {
            until(
                    "the seed is removed",
                    () -> addresses(second).size() == 2 && addresses(third).size() == 2);
        }
        PekkoCluster again = nodes.join(Nodes.options(seed, seed));
        until(
                "three members",
                () -> addresses(again).size() == 3 && addresses(again).equals(addresses(second)));
        assertFalse(second.removed().isDone() || third.removed().isDone());
    }

    /** The two clusters cannot reach each other by their seeds. The test sends the contact between them. */
    @Test
    void theYoungerOfTwoClustersStops() throws Exception {
        String seedOfOlder = Nodes.freeAddress();
        String seedOfYounger = Nodes.freeAddress();
        PekkoCluster older = nodes.join(Nodes.options(seedOfOlder, seedOfOlder));
        PekkoCluster younger = nodes.join(Nodes.options(seedOfYounger, seedOfYounger));
        PekkoCluster youngerToo = nodes.join(Nodes.options(Nodes.freeAddress(), seedOfYounger));
        contact(younger, older, System.currentTimeMillis() + Duration.ofHours(1).toMillis());
        contact(older, younger, 1);
        assertNull(younger.removed().join());
        assertNull(youngerToo.removed().join());
        assertFalse(older.removed().isDone());
    }

    private static void contact(PekkoCluster from, PekkoCluster to, long formedAt) {
        Cluster sender = Cluster.get(from.pekko());
        var contact = new Contact(sender.selfUniqueAddress().longUid(), 7, formedAt, true, true);
        seeds(from, to).tell(contact, ActorRef.noSender());
    }

    /** Returns the seed actor of a node, as another node refers to it. */
    private static ActorRef seeds(PekkoCluster from, PekkoCluster to) {
        String path = Cluster.get(to.pekko()).selfAddress() + "/user/" + SeedActor.NAME;
        return ((ExtendedActorSystem) from.pekko()).provider().resolveActorRef(path);
    }

    /** The last contacts of a leaving node may arrive after its removal. */
    @Test
    void theContactOfANodeWithoutAClusterStopsNoOther() throws Exception {
        String seed = Nodes.freeAddress();
        PekkoCluster node = nodes.join(Nodes.options(seed, seed));
        ActorRef actor = seeds(node, node);
        actor.tell(new Contact(1, 0, 0, true, true), ActorRef.noSender());
        Patterns.ask(actor, new Identify("handled"), Duration.ofSeconds(60))
                .toCompletableFuture()
                .join();
        assertNull(node.status().stopReason());
    }
}
