package io.fibry.cluster.pekko;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.fibry.ActorRef;
import io.fibry.cluster.pekko.harness.Cluster;
import io.fibry.codec.RecordCodec;
import io.fibry.entity.EntityBehavior;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Singletons start without a message, and start again on another node. */
@Timeout(180)
class SingletonClusterTest {

    private static final Duration LONG = Duration.ofSeconds(60);
    private static final RecordCodec<String> WORDS = RecordCodec.of(String.class);

    private static final Nodes nodes = new Nodes();
    private static String seed;
    private static PekkoCluster oldest;

    /** The lifetimes of a singleton on all nodes. */
    private static final class Lives {
        final List<PekkoCluster> begun = new CopyOnWriteArrayList<>();
        final AtomicInteger alive = new AtomicInteger();
        final AtomicInteger most = new AtomicInteger();

        EntityBehavior<String, String> begin(PekkoCluster node) {
            most.accumulateAndGet(alive.incrementAndGet(), Math::max);
            begun.add(node);
            return new EntityBehavior<>() {
                @Override
                public String handle(String word) {
                    return node.self().address();
                }

                @Override
                public void onEnd() {
                    alive.decrementAndGet();
                }
            };
        }

        void await(int begins) {
            Cluster.until(begins + " begins", () -> begun.size() == begins);
        }
    }

    @BeforeAll
    static void start() throws Exception {
        seed = Nodes.freeAddress();
        oldest = nodes.join(Nodes.options(seed, seed));
        join();
    }

    @AfterAll
    static void stop() {
        nodes.close();
    }

    private static PekkoCluster join() throws Exception {
        return nodes.join(Nodes.options(Nodes.freeAddress(), seed));
    }

    private static ActorRef<String, String> host(PekkoCluster node, String name, Lives lives) {
        return node.singleton(name, WORDS, WORDS, self -> lives.begin(node));
    }

    @Test
    void itMovesWithoutAMessageWhenItsNodeLeaves() throws Exception {
        var lives = new Lives();
        host(join(), "moving", lives);
        host(join(), "moving", lives);
        lives.await(1);
        lives.begun.getFirst().close();
        lives.await(2);
        assertNotEquals(lives.begun.getFirst(), lives.begun.getLast());
        assertEquals(1, lives.most.get());
    }

    @Test
    void itStartsAgainWithoutAMessageWhenItsNodeFails() throws Exception {
        var lives = new Lives();
        host(join(), "failing", lives);
        host(join(), "failing", lives);
        lives.await(1);
        Nodes.kill(lives.begun.getFirst());
        lives.await(2);
        assertNotEquals(lives.begun.getFirst(), lives.begun.getLast());
    }

    @Test
    void anyNodeCanAskIt() throws Exception {
        PekkoCluster host = join();
        ActorRef<String, String> here = host(host, "asked", new Lives());
        ActorRef<String, String> there = oldest.client("asked", WORDS, WORDS).ref("asked");
        Cluster.until("the host is known", () -> oldest.directory().isHosted("asked"));
        assertEquals(host.self().address(), there.ask("who", LONG).join());
        assertEquals(host.self().address(), here.ask("who", LONG).join());
    }

    @Test
    void aFailureToBeginIsRepeated() {
        var lives = new Lives();
        var attempts = new AtomicInteger();
        oldest.singleton("hesitant", WORDS, WORDS, self -> {
            if (attempts.incrementAndGet() < 3) {
                throw new IllegalStateException("not yet");
            }
            return lives.begin(oldest);
        });
        lives.await(1);
        assertEquals(3, attempts.get());
    }

    @Test
    void itsBehaviorCanSendMessagesToItself() {
        var received = new CopyOnWriteArrayList<String>();
        oldest.singleton("talking", WORDS, WORDS, self -> {
            self.tell("wake up");
            return word -> {
                received.add(word);
                return word;
            };
        });
        Cluster.until("it has received its message", () -> received.equals(List.of("wake up")));
    }

    @Test
    void itsNameIsNoTypeOfEntities() {
        oldest.entities("taken", WORDS, WORDS, key -> word -> word);
        var lives = new Lives();
        assertThrows(IllegalStateException.class, () -> host(oldest, "taken", lives));
        assertThrows(IllegalArgumentException.class, () -> host(oldest, "not/valid", lives));
        assertEquals(List.of(), lives.begun);
    }
}
