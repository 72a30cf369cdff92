package io.fibry.cluster.pekko;

import static io.fibry.cluster.pekko.harness.Cluster.until;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.cluster.Member;
import io.fibry.codec.Codec;
import io.fibry.codec.RecordCodec;
import io.fibry.entity.Entities;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.pekko.actor.ActorRef;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Messages to the entities of an unreachable node. The test reports the node as unreachable. */
@Timeout(120)
class HeldMessagesClusterTest {

    private final Nodes nodes = new Nodes();

    @AfterEach
    void stop() {
        nodes.close();
    }

    @Test
    void areDeliveredInOrderAfterTheNodeIsReachableAgain() throws Exception {
        String seed = Nodes.freeAddress();
        PekkoCluster sender = nodes.join(Nodes.options(seed, seed));
        PekkoCluster owner = nodes.join(Nodes.options(Nodes.freeAddress(), seed));
        var handled = new CopyOnWriteArrayList<Integer>();
        Entities<String, Integer, Void> hosted =
                owner.entities("held", RecordCodec.of(Integer.class), Codec.none(), key -> number -> {
                    handled.add(number);
                    return null;
                });
        hosted.ref("key").tell(0);
        until("the shard is owned", () -> handled.size() == 1);
        Entities<String, Integer, Void> entities = sender.client("held", RecordCodec.of(Integer.class), Codec.none());
        until(
                "the owner is known",
                () -> sender.directory().isOwnedBy(owner.self().id(), "held", EntityType.shardOf("key", 60)));
        absent(sender, Set.of(owner.self().id()));
        until("messages are held", () -> !sender.buffer().heldFor().isEmpty());
        List<Integer> numbers = IntStream.rangeClosed(1, 20).boxed().toList();
        numbers.forEach(number -> entities.ref("key").tell(number));
        until("all are held", () -> sender.buffer().bytes().get() >= 20 * 400);
        assertEquals(List.of(0), handled);
        absent(sender, Set.of());
        until("all are handled", () -> handled.size() > 20);
        assertEquals(IntStream.rangeClosed(0, 20).boxed().toList(), handled);
        assertEquals(0, sender.buffer().bytes().get());
        assertTrue(sender.buffer().heldFor().isEmpty());
    }

    private static void absent(PekkoCluster node, Set<Long> others) {
        var members = node.members().stream().map(Member::id).collect(Collectors.toSet());
        node.redelivery().tell(new Redelivery.Absent(others, members), ActorRef.noSender());
    }
}
