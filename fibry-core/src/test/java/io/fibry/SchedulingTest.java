package io.fibry;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.fibry.testing.AllStrategies;
import io.fibry.testing.Await;
import io.fibry.testing.KernelTest;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** No actor prevents another from handling its messages. */
class SchedulingTest extends KernelTest {

    private static final int PROCESSORS = Runtime.getRuntime().availableProcessors();

    private volatile boolean over;

    @Test
    void aThousandBlockedHandlersStallNoOtherActor() {
        var reached = new CountDownLatch(1_000);
        var open = new CountDownLatch(1);
        var released = new AtomicInteger();
        for (int i = 0; i < 1_000; i++) {
            system.actor()
                    .newActor((Integer n) -> {
                        reached.countDown();
                        Await.latch(open);
                        released.incrementAndGet();
                    })
                    .tell(i);
        }
        Await.latch(reached);
        for (int i = 0; i < 100; i++) {
            var other = system.actor().newActorWithReturn((Integer n) -> n);
            assertEquals(i, Await.value(other.ask(i)));
        }
        open.countDown();
        system.close(Await.LIMIT);
        assertEquals(1_000, released.get());
    }

    @Test
    void aBlockedHandlerDoesNotDelayTheActorsItHasMadeReady() {
        var answers = new ArrayList<CompletableFuture<Integer>>();
        var other = system.actor().newActorWithReturn((Integer n) -> n);
        var asker = system.actor().newActorWithReturn((Integer n) -> {
            for (int i = 0; i < n; i++) {
                answers.add(other.ask(i)); // the worker's next actor
                assertEquals(i, Await.value(answers.get(i)));
            }
            return answers.size();
        });
        assertEquals(500, Await.value(asker.ask(500)));
    }

    @Test
    void askersOnAllCoresDoNotStarveAnotherActor() {
        for (int i = 0; i < 2 * PROCESSORS; i++) {
            var asked = system.actor().newActorWithReturn((Integer n) -> n);
            system.actor()
                    .newActor((Integer n) -> {
                        while (!over) {
                            asked.ask(n).join(); // in place, if no other worker takes it
                        }
                    })
                    .tell(i);
        }
        assertOthersAnswer(300);
    }

    @Test
    void pairsOfActorsOnAllCoresDoNotStarveAnotherActor() {
        var chats = new ArrayList<Actor<Integer>>();
        for (int i = 0; i < 2 * PROCESSORS; i++) {
            var first = new CompletableFuture<Actor<Integer>>();
            Actor<Integer> second = system.actor().newActor((Integer n) -> {
                if (!over) {
                    first.join().tell(n);
                }
            });
            first.complete(system.actor().newActor((Integer n) -> second.tell(n)));
            chats.add(second);
        }
        chats.forEach(chat -> chat.tell(1));
        assertOthersAnswer(300);
    }

    @Test
    void busyActorsDoNotStarveAnotherActor() {
        for (int i = 0; i < 2 * PROCESSORS; i++) {
            Actor<Integer> busy = system.actor().newActorFrom(context -> n -> {
                for (int spins = 0; spins < 2_000; spins++) {
                    Thread.onSpinWait();
                }
                if (!over) {
                    context.self().tell(n);
                }
            });
            for (int k = 0; k < 100; k++) {
                busy.tell(k);
            }
        }
        assertOthersAnswer(30);
    }

    private void assertOthersAnswer(int questions) {
        try {
            var third = system.actor().newActorWithReturn((Integer n) -> n);
            for (int i = 0; i < questions; i++) {
                assertEquals(i, Await.value(third.ask(i)));
                var fresh = system.actor().newActorWithReturn((Integer n) -> -n);
                assertEquals(-i, Await.value(fresh.ask(i)));
            }
        } finally {
            over = true;
        }
    }

    @AllStrategies
    void aRingPassesAMessageRound(ThreadStrategy strategy) {
        boolean ownThreads = strategy.equals(ThreadStrategy.platform());
        int size = ownThreads ? 100 : 1_000;
        passRound(strategy, size, ownThreads ? 5_000 : 100_000);
    }

    private void passRound(ThreadStrategy strategy, int size, int hops) {
        var done = new CompletableFuture<Integer>();
        List<Actor<Integer>> ring = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            int next = (i + 1) % size;
            ring.add(actor(strategy).newActor((Integer n) -> {
                if (n == 0) {
                    done.complete(next);
                } else {
                    ring.get(next).tell(n - 1);
                }
            }));
        }
        ring.get(0).tell(hops);
        assertEquals((hops + 1) % size, Await.value(done));
    }

    @Test
    void shortLivedActorsComeAndGo() {
        var handled = new AtomicInteger();
        var ended = new CountDownLatch(100_000);
        for (int i = 0; i < 100_000; i++) {
            var actor = system.actor().newActor((Integer n) -> handled.incrementAndGet());
            actor.tell(i);
            actor.stop();
            var unused = actor.exit().thenAccept(exit -> ended.countDown());
        }
        Await.latch(ended);
        assertEquals(100_000, handled.get());
    }
}
