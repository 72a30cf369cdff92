package io.fibry.cluster.pekko;

import static io.fibry.cluster.pekko.harness.Cluster.until;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.fibry.cluster.ClusterOptions;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.apache.pekko.actor.AbstractActor;
import org.apache.pekko.actor.ActorIdentity;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.ActorSystem;
import org.apache.pekko.actor.Address;
import org.apache.pekko.actor.Deploy;
import org.apache.pekko.actor.Identify;
import org.apache.pekko.actor.PoisonPill;
import org.apache.pekko.actor.Props;
import org.apache.pekko.cluster.Cluster;
import org.apache.pekko.pattern.Patterns;
import org.apache.pekko.remote.RemoteScope;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A foreign program that speaks Pekko's protocol, and knows the name of the cluster, connects to a node. */
@Timeout(120)
class ForeignProcessTest {

    private final Nodes nodes = new Nodes();
    private ActorSystem foreign;

    /** An actor that the foreign program deploys remotely. */
    static final class Intruder extends AbstractActor {
        @Override
        public Receive createReceive() {
            return receiveBuilder().build();
        }
    }

    @AfterEach
    void stop() {
        nodes.close();
        if (foreign != null) {
            foreign.terminate();
        }
    }

    private Address connect(PekkoCluster node) throws Exception {
        Config config = ConfigFactory.parseMap(Map.of(
                        "pekko.actor.provider", "remote",
                        "pekko.remote.use-unsafe-remote-features-outside-cluster", "on"))
                .withFallback(Settings.of(Nodes.options(Nodes.freeAddress(), Nodes.freeAddress())));
        foreign = ActorSystem.create("foreign", config);
        return Cluster.get(node.pekko()).selfAddress();
    }

    private static ClusterOptions newOptions() throws Exception {
        String seed = Nodes.freeAddress();
        return Nodes.options(seed, seed);
    }

    @Test
    void deploysNoActor() throws Exception {
        PekkoCluster node = nodes.join(newOptions());
        Address address = connect(node);
        ActorRef intruder =
                foreign.actorOf(Props.create(Intruder.class).withDeploy(new Deploy(new RemoteScope(address))));
        var identity = Patterns.ask(intruder, new Identify(1), Duration.ofSeconds(60))
                .toCompletableFuture()
                .join();
        assertEquals(Optional.empty(), ((ActorIdentity) identity).getActorRef());
    }

    /** Without TLS it can stop the actors of a node. The node then leaves instead of refusing messages as a member. */
    @Test
    void aNodeWhoseFenceIsStoppedLeaves() throws Exception {
        PekkoCluster node = nodes.join(newOptions());
        Address address = connect(node);
        foreign.actorSelection(address + "/user/" + FenceActor.NAME)
                .tell(PoisonPill.getInstance(), ActorRef.noSender());
        assertNull(node.removed().join());
    }

    @Test
    void framesThatCannotBeDecodedAreCounted() throws Exception {
        ClusterOptions options = newOptions();
        PekkoCluster node = nodes.join(options);
        try (var socket = new Socket(options.host(), options.port())) {
            OutputStream out = socket.getOutputStream();
            String magic = node.pekko()
                    .settings()
                    .config()
                    .getStringList("pekko.remote.artery.advanced.tcp-magic")
                    .getFirst();
            out.write(magic.getBytes(StandardCharsets.US_ASCII));
            out.write(1); // the stream of ordinary messages
            out.write(new byte[4_000]); // 1,000 frames without content
            until("all are counted", () -> node.stats().refused() == 1_000);
        }
        assertFalse(node.removed().isDone());
    }

    @Test
    void theirWarningsAreLimitedToOnePerSecond() throws Exception {
        PekkoCluster node = nodes.join(newOptions());
        var limited = new LimitedWarnings(node.pekko().settings(), node.pekko().eventStream());
        Class<?> decoder = Class.forName("org.apache.pekko.remote.artery.Decoder");
        long start = System.nanoTime();
        long allowed = IntStream.range(0, 1_000)
                .filter(i -> limited.isWarningEnabled(decoder, "Decoder"))
                .count();
        long seconds = Duration.ofNanos(System.nanoTime() - start).toSeconds();
        assertTrue(allowed >= 1 && allowed <= seconds + 1, allowed + " in " + seconds + " s");
        assertEquals(1_000, limited.badFrames());
    }
}
