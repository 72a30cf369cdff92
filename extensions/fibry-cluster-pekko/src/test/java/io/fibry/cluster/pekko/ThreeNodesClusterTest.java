package io.fibry.cluster.pekko;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.cluster.pekko.harness.Cluster;
import io.fibry.cluster.pekko.harness.Entry;
import io.fibry.cluster.pekko.harness.Events.Result;
import io.fibry.cluster.pekko.harness.Journals;
import io.fibry.cluster.pekko.harness.NodeProcess;
import io.fibry.cluster.pekko.harness.Noise;
import io.fibry.cluster.pekko.harness.Report;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;

/**
 * The guarantees for three nodes under load, with real processes that leave and join. {@link LostNodesClusterTest} has
 * the faults.
 */
class ThreeNodesClusterTest extends ThreeNodesCase {

    @Test
    @Order(1)
    void allReachAll() {
        measured("first answer: " + cluster.node("n2").ask("ask counter first 60000 0") + " us");
        Set<String> owners = new TreeSet<>(
                Arrays.asList(cluster.node("n1").ask("asks " + KEYS + " 60000").split(" ")));
        assertEquals(Set.of("n1", "n2", "n3"), owners, "each node has some entities");
        for (String name : cluster.names()) {
            cluster.node(name).ask("answers " + KEYS + " 60000");
            assertTrue(cluster.node(name).ask("events").contains("+counter/"), "it has learnt of its shards");
        }
    }

    @Test
    @Guarantee(
            event = "normal operation",
            of = {"tell", "ask", "entity and state"})
    @Order(2)
    void nothingGetsLostAndTheOrderStays() throws Exception {
        assertEquals(0, checked(events.nothing(Duration.ofSeconds(3))).report().reordered());
    }

    @Test
    @Guarantee(
            event = "planned move",
            of = {"tell", "ask"})
    @Order(3)
    void rollingRestart() throws Exception {
        for (int run = 0; run < RUNS; run++) {
            Result result = checked(events.leave("n1", "n2", "n3"));
            cluster.awaitSingleton();
            assertEquals(0, result.report().lostToFaults(), result::text);
            double percent =
                    100.0 * result.report().reordered() / result.report().handled();
            measured("reordered: " + percent + " %");
            assertTrue(percent < 1, result::text); // only messages on the way to a moving shard
        }
    }

    @Test
    @Order(4)
    void theJvmOfANodeEnds() throws Exception {
        Result result = checked(events.terminate("n3"));
        assertEquals(0, result.report().lostToFaults(), result::text);
    }

    // ---- entities

    private static String owner(String type, String key) {
        return cluster.node("n1").ask("ask " + type + " " + key + " 60000 0").split(" ", 2)[0];
    }

    /**
     * Begins a round and returns the owner of a counter, which Pekko does not move until a node leaves or starts. A
     * restarted node receives its share of the shards some seconds after it is up.
     */
    private static String settledOwner(String key) throws IOException {
        cluster.newRound();
        events.awaitBalanced();
        return owner("counter", key);
    }

    private static String otherThan(String name) {
        return cluster.names().stream().filter(n -> !n.equals(name)).findFirst().orElseThrow();
    }

    /** Waits until this number of messages for the key has reached a handler. */
    private static void awaitHandled(String key, int count) {
        Cluster.until(count + " messages for " + key, () -> handled(key) == count);
    }

    private static long handled(String key) {
        try {
            return cluster.read().entries().stream()
                    .filter(e -> e.kind() == Entry.Kind.HANDLE && e.key().equals(key))
                    .count();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Pekko stops the shard one second after the start of the drain, because it reserves five seconds for its own stop.
     */
    @Test
    @Order(5)
    void aHandlerMayEndUntilTheDrainIsOver() throws Exception {
        String owner = settledOwner("short");
        NodeProcess asker = cluster.node(otherThan(owner));
        asker.ask("later counter short 1 60000 2000");
        awaitHandled("short", 2);
        assertTrue(cluster.leave(owner).startsWith("true "));
        assertTrue(asker.ask("outcomes").startsWith(owner + " "), "it has replied");
        cluster.start(owner);
        cluster.awaitUp();
        assertEquals(0, cluster.settled().check().violations());
    }

    @Test
    @Guarantee(
            event = "a handler runs longer than the drain",
            of = {"tell", "ask"})
    @Order(6)
    void aHandlerLongerThanTheDrainIsInterrupted() throws Exception {
        String owner = settledOwner("long");
        NodeProcess asker = cluster.node(otherThan(owner));
        asker.ask("later counter long 1 60000 60000");
        awaitHandled("long", 2);
        asker.ask("later counter long 3 60000 0"); // wait behind the long handler
        String left = cluster.leave(owner);
        List<String> outcomes = List.of(asker.ask("outcomes").split("[|]", -1));
        measured("a handler longer than the drain: leave " + left + " ms, " + outcomes);
        assertTrue(left.startsWith("true "), left);
        assertEquals(4, outcomes.size());
        for (String outcome : outcomes) {
            assertTrue(outcome.matches("(EntityFailed|ActorStopped)Exception .*counter/long .*"), outcome);
        }
        String next = asker.ask("ask counter long 60000 0");
        assertFalse(next.startsWith(owner + " "), next);
        assertEquals("1", next.split(" ", -1)[2], "a fresh one");
        cluster.start(owner);
        cluster.awaitUp();
        Journals journals = cluster.settled();
        assertEquals(0, journals.check().violations(), () -> journals.check().toString());
        assertEquals(
                1,
                journals.entries().stream()
                        .filter(e -> e.kind() == Entry.Kind.INTERRUPTED)
                        .count());
    }

    @Test
    @Order(7)
    void undecodableDataChangesNothing() throws Exception {
        String owner = settledOwner("odd");
        for (String name : cluster.names()) {
            long before = cluster.count(owner, "refused");
            assertEquals("accepted", cluster.node(name).ask("odd odd"));
            Cluster.until("it is counted", () -> cluster.count(owner, "refused") == before + 1);
        }
        assertEquals(owner, owner("counter", "odd"));
        assertEquals(2, handled("odd"));
    }

    @Test
    @Guarantee(
            event = "mailbox full",
            of = {"tell", "ask"})
    @Order(8)
    void aFullMailboxRefuses() throws Exception {
        cluster.newRound();
        String owner = owner("narrow", "tight");
        NodeProcess asker = cluster.node(otherThan(owner));
        asker.ask("later narrow tight 1 60000 4000");
        awaitHandled("tight", 2);
        long before = cluster.count(owner, "refused");
        assertEquals("{accepted=10}", asker.ask("tell narrow tight 10 0"), "the way to it has room");
        String full = asker.ask("ask narrow tight 60000 0");
        measured("a full mailbox: " + full);
        assertTrue(full.matches("MailboxFullException .*narrow/tight.*"), full);
        assertEquals(7, cluster.count(owner, "refused") - before, "4 of 11 had room");
        assertTrue(asker.ask("outcomes").startsWith(owner + " "));
        awaitHandled("tight", 6);
        Report report = cluster.read().check();
        assertEquals(6, report.count(Report.Violation.LOST), report::toString);
        assertEquals(6, report.violations(), report::toString);
    }

    @Test
    @Order(9)
    void noiseOnThePortChangesNothing() throws Exception {
        Noise.send("127.0.0.1", cluster.bindPort("n1"), 10);
        checked(events.nothing(Duration.ofSeconds(1)));
        assertTrue(cluster.node("n2").ask("removed").equals("false"));
        cluster.awaitUp();
    }
}
