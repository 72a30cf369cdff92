package io.fibry.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.Actor;
import io.fibry.ActorSystem;
import io.fibry.ReplyActor;
import io.fibry.testing.Await;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/**
 * A handler may wait for the actor that it has just sent a message to, although that actor is the next one of its own
 * worker: another worker takes over.
 */
class BlockedWorkerTest {

    private static final int PAIRS = 20_000;

    @Test
    void everyBlockedHandlerIsReleasedByTheReceiverOfItsMessage() throws InterruptedException {
        var done = new CountDownLatch(PAIRS);
        try (var system = ActorSystem.create()) {
            for (int i = 0; i < PAIRS; i++) {
                Actor<CountDownLatch> second = system.actor().newActor(CountDownLatch::countDown);
                Actor<String> first = system.actor().newActor((String message) -> {
                    var told = new CountDownLatch(1);
                    second.tell(told);
                    await(told);
                    done.countDown();
                });
                first.tell("go");
            }
            assertTrue(done.await(30, TimeUnit.SECONDS), () -> done.getCount() + " handlers wait for ever");
        }
    }

    /**
     * Two workers are blocked in their handlers, and an actor is the next one of the first: the second must have
     * requested a third worker when it found its work in the shared queue.
     *
     * <p>Seen to fail: a spare that found work checks the shared queue only.
     */
    @Test
    void aSpareThatFoundWorkChecksTheNextActorsToo() throws InterruptedException {
        var started = new ConcurrentLinkedQueue<Runnable>();
        var system = DetachedSystems.system(started::add);
        var thirdWorkerStarted = new AtomicBoolean();

        Actor<String> next = system.actor().newActor((String message) -> {});
        Actor<String> inQueue = system.actor().newActor((String message) -> thirdWorkerStarted.set(!started.isEmpty()));
        Actor<String> first = system.actor().newActor((String message) -> {
            next.tell("from a worker");
            DetachedSystems.runElsewhere(() -> inQueue.tell("from outside"));
            DetachedSystems.runElsewhere(started.remove());
        });

        first.tell("go");
        DetachedSystems.runElsewhere(started.remove());

        assertTrue(thirdWorkerStarted.get());
    }

    /**
     * After many handlers that do not block, no spare is requested at once for an actor that a handler makes ready. If
     * the next handler blocks then, the watch requests one.
     *
     * <p>Seen to fail: the watch does not check the next actors.
     */
    @Test
    void anActorWhoseSenderBlocksIsNoticedByTheWatch() {
        try (ActorSystem system = ActorSystem.create()) {
            for (int round = 0; round < 3; round++) {
                ask(system, 100_000);
                tellAndBlock(system);
            }
        }
    }

    private static void ask(ActorSystem system, int asks) {
        ReplyActor<Integer, Integer> echo = system.actor().newActorWithReturn((Integer n) -> n);
        ReplyActor<Integer, Integer> asker = system.actor().newActorWithReturn((Integer times) -> {
            int sum = 0;
            for (int i = 0; i < times; i++) {
                sum += echo.ask(1).join();
            }
            return sum;
        });
        assertEquals(asks, Await.value(asker.ask(asks)));
    }

    private static void tellAndBlock(ActorSystem system) {
        Actor<CountDownLatch> other = system.actor().newActor(CountDownLatch::countDown);
        ReplyActor<String, Boolean> blocked = system.actor().newActorWithReturn((String message) -> {
            var told = new CountDownLatch(1);
            other.tell(told);
            return told.await(30, TimeUnit.SECONDS);
        });
        assertTrue(Await.value(blocked.ask("go")));
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
