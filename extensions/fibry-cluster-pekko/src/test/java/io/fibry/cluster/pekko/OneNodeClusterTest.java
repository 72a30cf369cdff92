package io.fibry.cluster.pekko;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.ActorRef;
import io.fibry.ActorStoppedException;
import io.fibry.MailboxFullException;
import io.fibry.cluster.ClusterEvent;
import io.fibry.cluster.ClusterOptions;
import io.fibry.cluster.EntityFailedException;
import io.fibry.cluster.NoMajorityException;
import io.fibry.cluster.pekko.Packet.ToEntity;
import io.fibry.cluster.pekko.harness.Ports;
import io.fibry.codec.Codec;
import io.fibry.codec.CodecException;
import io.fibry.entity.Entities;
import io.fibry.entity.EntityBehavior;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeoutException;
import org.apache.pekko.cluster.Cluster;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Failures, limits and the end of a single node. */
@Timeout(120)
class OneNodeClusterTest {

    private static final Duration LONG = Duration.ofSeconds(60);

    /** A codec of words, which fails for words that begin with "bad". */
    private static final class Words implements Codec<String> {
        @Override
        public byte[] encode(String word) {
            if (word.equals("bad reply")) {
                throw new AssertionError(word);
            }
            return word.getBytes(StandardCharsets.UTF_8);
        }

        @Override
        public String decode(byte[] bytes) {
            String word = new String(bytes, StandardCharsets.UTF_8);
            if (word.equals("bad message")) {
                throw new StackOverflowError(word);
            }
            return word;
        }
    }

    private static final class Fails implements EntityBehavior<String, String> {
        @Override
        public String handle(String word) {
            return switch (word) {
                case "stopped" -> throw new ActorStoppedException(word, null);
                case "no majority" -> throw new NoMajorityException(word);
                case "full" -> throw new MailboxFullException(word);
                case "in a future" -> throw new CompletionException(new ActorStoppedException(word, null));
                case "not decoded" -> throw new CodecException(word, null);
                case "encode" -> "bad reply";
                default -> word;
            };
        }
    }

    private static PekkoCluster node;
    private static Entities<String, String, String> entities;

    @BeforeAll
    static void start() throws Exception {
        node = join();
        entities = node.entities("fails", new Words(), new Words(), key -> new Fails());
    }

    @AfterAll
    static void stop() {
        node.close();
    }

    private static PekkoCluster join() throws Exception {
        int port = Ports.free("127.0.0.1");
        return PekkoCluster.join(ClusterOptions.of("alone", "127.0.0.1", port, "127.0.0.1:" + port));
    }

    private static Throwable failure(ActorRef<String, String> ref, String word) {
        CompletableFuture<String> reply = ref.ask(word, LONG);
        return assertThrows(CompletionException.class, reply::join).getCause();
    }

    @Test
    void aFailureOfAHandlerIsNotTakenForOneToReachIt() {
        for (String word : new String[] {"stopped", "no majority", "full", "in a future", "not decoded"}) {
            Throwable failure = failure(entities.ref("a"), word);
            assertInstanceOf(EntityFailedException.class, failure, word);
            assertTrue(failure.getMessage().contains(word), failure.getMessage());
        }
    }

    @Test
    void soIsAFailureToBegin() {
        Entities<String, String, String> never = node.entities("never", new Words(), new Words(), key -> {
            throw new ActorStoppedException("cannot begin", null);
        });
        assertInstanceOf(EntityFailedException.class, failure(never.ref("a"), "x"));
    }

    @Test
    void errorsOfACodecFailTheAskAndNothingElse() {
        assertInstanceOf(CodecException.class, failure(entities.ref("b"), "bad message"));
        assertInstanceOf(EntityFailedException.class, failure(entities.ref("b"), "encode"));
        assertEquals("well", entities.ref("b").ask("well", LONG).join());
    }

    @Test
    void aNegativeDurationIsRefused() {
        Duration wrong = Duration.ofSeconds(-1);
        assertThrows(IllegalArgumentException.class, () -> node.close(wrong));
        var ref = entities.ref("c");
        assertThrows(IllegalArgumentException.class, () -> ref.ask("well", wrong));
        assertEquals("well", ref.ask("well", LONG).join()); // the node has not left
    }

    @Test
    void messagesMayHaveNoReply() {
        Entities<String, String, Void> silent = node.entities("silent", new Words(), Codec.none(), key -> word -> null);
        assertNull(silent.ref("a").ask("x", LONG).join());
    }

    @Test
    void keysHaveALimitAndAreValid() {
        String longest = "k".repeat(500);
        assertEquals("x", entities.ref(longest).ask("x", LONG).join());
        assertThrows(IllegalArgumentException.class, () -> entities.ref(longest + "k"));
        assertThrows(IllegalArgumentException.class, () -> entities.ref(""));
        assertThrows(IllegalArgumentException.class, () -> entities.ref("\ud83d"));
        assertThrows(IllegalArgumentException.class, () -> entities.end(""));
        assertEquals("x", entities.ref("\ud83d\ude00").ask("x", LONG).join());
    }

    @Test
    void ifTooMuchWaitsNewMessagesAreRefused() {
        ActorRef<String, String> ref = entities.ref("c");
        long before = node.stats().refused();
        node.buffer().bytes().addAndGet(1L << 40);
        try {
            assertFalse(ref.tryTell("x"));
            assertThrows(MailboxFullException.class, () -> ref.tell("x"));
            assertInstanceOf(MailboxFullException.class, failure(ref, "x"));
            assertEquals(before + 3, node.stats().refused());
        } finally {
            node.buffer().bytes().addAndGet(-(1L << 40));
        }
    }

    /** The machine may pause during the 25 ms in which a shard starts, but not in each of twenty attempts. */
    @Test
    void aStartingShardHandlesRedeliveredMessagesFirst() throws Exception {
        var handled = new LinkedBlockingQueue<String>();
        Entities<String, String, String> order = node.entities("order", new Words(), new Words(), key -> word -> {
            handled.add(word);
            return word;
        });
        var region = requireNonNull(node.regions().of(order.name()));
        List<String> orders = new ArrayList<>();
        for (int shard = 0; shard < 20; shard++) {
            region.tell(tell(shard, "2"), region);
            region.tell(tell(shard, "1").again(), region);
            region.tell(tell(shard, "3"), region);
            orders.add(handled.take() + handled.take() + handled.take());
        }
        assertTrue(orders.contains("123"), orders.toString());
    }

    private static ToEntity tell(int shard, String word) {
        byte[] message = word.getBytes(StandardCharsets.UTF_8);
        return new ToEntity("order", ToEntity.Kind.TELL, shard, "key", message, "", 0, 0, 0);
    }

    @Test
    void aRemovedNodeReportsItsRemovalDespiteARunningHandler() throws Exception {
        PekkoCluster removed = join();
        var began = new CountDownLatch(1);
        var end = new CountDownLatch(1);
        Entities<String, String, String> stubborn =
                removed.entities("stubborn", new Words(), new Words(), key -> word -> {
                    began.countDown();
                    awaitWithoutInterrupt(end);
                    return word;
                });
        var closedByListener = new CompletableFuture<Boolean>();
        removed.onEvent(event -> {
            if (event instanceof ClusterEvent.ThisNodeRemoved) {
                closedByListener.complete(removed.close(LONG));
            }
        });
        CompletableFuture<String> open = stubborn.ref("a").ask("x", LONG);
        began.await();
        Cluster cluster = Cluster.get(removed.pekko());
        cluster.down(cluster.selfAddress());
        assertNull(removed.removed().join());
        assertTrue(closedByListener.join());
        Throwable unknown = assertThrows(CompletionException.class, open::join).getCause();
        assertInstanceOf(TimeoutException.class, unknown);
        assertInstanceOf(ActorStoppedException.class, failure(stubborn.ref("a"), "x"));
        assertThrows(ActorStoppedException.class, () -> stubborn.ref("a").tell("x"));
        end.countDown();
        removed.pekko().getWhenTerminated().toCompletableFuture().join();
    }

    private static void awaitWithoutInterrupt(CountDownLatch latch) {
        boolean interrupted = false;
        while (true) {
            try {
                latch.await();
                break;
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
