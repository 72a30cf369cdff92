package io.fibry.cluster.pekko;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.fibry.Actor;
import io.fibry.ActorStoppedException;
import io.fibry.cluster.ClusterOptions;
import io.fibry.cluster.Failover;
import io.fibry.cluster.pekko.harness.Cluster;
import io.fibry.codec.Codec;
import io.fibry.codec.CodecException;
import io.fibry.codec.RecordCodec;
import io.fibry.topic.Topic;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Topics with subscribers on two nodes. */
@Timeout(180)
class TopicClusterTest {

    private static final RecordCodec<String> WORDS = RecordCodec.of(String.class);

    private static final Nodes nodes = new Nodes();
    private static PekkoCluster first;
    private static PekkoCluster second;

    /** The messages that a subscriber receives. */
    private static final class Received {
        final List<String> words = new CopyOnWriteArrayList<>();
        final Actor<String> actor;

        Received(PekkoCluster node, Topic<String> topic) {
            actor = node.system().actor().newActor(words::add);
            topic.subscribe(actor);
        }

        void await(List<String> expected) {
            Cluster.until("all are received", () -> words.size() >= expected.size());
            assertEquals(expected, words);
        }
    }

    @BeforeAll
    static void start() throws Exception {
        String seed = Nodes.freeAddress();
        first = nodes.join(patient(seed, seed));
        second = nodes.join(patient(Nodes.freeAddress(), seed));
    }

    /** No node fails in these tests, so a busy machine must not be taken for a failure. */
    private static ClusterOptions patient(String address, String seed) {
        return Nodes.options(address, seed).failover(Failover.DEFAULT);
    }

    @AfterAll
    static void stop() {
        nodes.close();
    }

    @Test
    void messagesReachTheSubscribersOfAllNodesInOrder() {
        Topic<String> here = first.topic("news", WORDS);
        Topic<String> there = second.topic("news", WORDS);
        var local = new Received(first, here);
        var remote = new Received(second, there);
        List<String> words = IntStream.range(0, 1_000).mapToObj(i -> "word" + i).toList();
        words.forEach(here::publish);
        local.await(words);
        remote.await(words);
        assertEquals(1, there.stats().subscribers());
        there.unsubscribe(remote.actor);
        assertEquals(0, there.stats().subscribers());
    }

    @Test
    void aTopicIsClosedOnOneNodeOnly() {
        Topic<String> here = first.topic("closing", WORDS);
        Topic<String> there = second.topic("closing", WORDS);
        var remote = new Received(second, there);
        here.publish("before");
        remote.await(List.of("before"));
        here.close();
        assertThrows(ActorStoppedException.class, () -> here.publish("after"));
        there.publish("elsewhere");
        remote.await(List.of("before", "elsewhere"));
        first.topic("closing", WORDS).publish("again");
        remote.await(List.of("before", "elsewhere", "again"));
    }

    @Test
    void aMessageThatCannotBeEncodedOrDecodedIsRefused() {
        Codec<String> fails = new Codec<>() {
            @Override
            public byte[] encode(String word) {
                return WORDS.encode(word);
            }

            @Override
            public String decode(byte[] bytes) {
                if (WORDS.decode(bytes).equals("bad")) {
                    throw new IllegalStateException("a bad word");
                }
                return WORDS.decode(bytes);
            }
        };
        Topic<String> here = first.topic("failing", WORDS);
        var remote = new Received(second, second.topic("failing", fails));
        long before = second.stats().refused();
        here.publish("bad");
        here.publish("good");
        remote.await(List.of("good"));
        assertEquals(before + 1, second.stats().refused());
        String large = "x".repeat(first.options().maxMessageBytes());
        assertThrows(CodecException.class, () -> here.publish(large));
    }

    @Test
    void aNodeHasATopicOnce() {
        first.topic("once", WORDS);
        assertThrows(IllegalStateException.class, () -> first.topic("once", WORDS));
        assertThrows(IllegalArgumentException.class, () -> first.topic("not/valid", WORDS));
        second.topic("once", WORDS);
    }
}
