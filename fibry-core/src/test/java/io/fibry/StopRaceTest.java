package io.fibry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.testing.AllStrategies;
import io.fibry.testing.Await;
import io.fibry.testing.KernelTest;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** Whatever the moment of the stop, every message has exactly one end. */
class StopRaceTest extends KernelTest {

    private static final int SENDERS = 3;
    private static final int MESSAGES_OF_A_SENDER = 200;
    private static final int ROUNDS = 40;

    private static ExecutorService threads;

    @BeforeAll
    static void startThreads() {
        threads = Executors.newFixedThreadPool(SENDERS);
    }

    @AfterAll
    static void stopThreads() {
        threads.close();
    }

    @AllStrategies
    void eachAcceptedTellIsHandledOrADeadLetter(ThreadStrategy strategy) {
        long seed = 20_260_102;
        var random = new Random(seed);
        for (int round = 0; round < ROUNDS; round++) {
            for (StopMode mode : StopMode.values()) {
                var accepted = new AtomicInteger();
                var handled = new AtomicInteger();
                var dead = new AtomicInteger();
                system.onDeadLetter(letter -> dead.incrementAndGet());
                var actor = actor(strategy).newActor((Integer n) -> handled.incrementAndGet());
                var senders = fromSenders(() -> {
                    actor.tell(1);
                    accepted.incrementAndGet();
                });
                awaitCount(accepted, random.nextInt(SENDERS * MESSAGES_OF_A_SENDER));
                actor.stop(mode);
                senders.forEach(Await::value);
                ActorExit exit = Await.end(actor);
                String where = "seed " + seed + ", round " + round + ", " + mode;
                assertEquals(accepted.get(), handled.get() + dead.get(), where);
                assertEquals(handled.get(), exit.handled(), where);
                assertEquals(dead.get(), exit.discarded(), where);
                assertTrue(mode != StopMode.DRAIN || dead.get() == 0, where);
            }
        }
    }

    @AllStrategies
    void everyAskCompletesAndEveryHandledOneWithItsValue(ThreadStrategy strategy) {
        long seed = 20_260_103;
        var random = new Random(seed);
        for (int round = 0; round < ROUNDS; round++) {
            for (StopMode mode : StopMode.values()) {
                var count = new AtomicInteger();
                var handled = new AtomicInteger();
                var actor = actor(strategy).newActorWithReturn((Integer n) -> handled.incrementAndGet());
                List<CompletableFuture<Integer>> replies = new ArrayList<>();
                var senders = fromSenders(() -> {
                    var reply = actor.ask(1);
                    synchronized (replies) {
                        replies.add(reply);
                    }
                    count.incrementAndGet();
                    if (reply.isCompletedExceptionally()) {
                        throw new ActorStoppedException("refused, or discarded already", null);
                    }
                });
                awaitCount(count, random.nextInt(SENDERS * MESSAGES_OF_A_SENDER));
                actor.stop(mode);
                senders.forEach(Await::value);
                Await.end(actor);
                int answered = 0;
                int failed = 0;
                for (var reply : replies) {
                    assertTrue(reply.isDone(), "the actor has ended");
                    if (reply.isCompletedExceptionally()) {
                        assertInstanceOf(ActorStoppedException.class, Await.failure(reply));
                        failed++;
                    } else {
                        answered++;
                    }
                }
                String where = "seed " + seed + ", round " + round + ", " + mode;
                assertEquals(handled.get(), answered, where);
                assertTrue(mode != StopMode.DRAIN || failed <= SENDERS, where); // the last one of each sender
            }
        }
    }

    @AllStrategies
    void anAskJustBeforeTheStopIsAnswered(ThreadStrategy strategy) {
        var random = new Random(20_260_104);
        for (int round = 0; round < 3_000; round++) {
            var actor = actor(strategy).newActorWithReturn((Integer n) -> n);
            actor.tell(1);
            for (int spins = random.nextInt(1_000); spins > 0; spins--) {
                Thread.onSpinWait();
            }
            var reply = actor.ask(2);
            actor.stop();
            assertEquals(2, Await.value(reply));
            assertEquals(ActorExit.Reason.NORMAL, Await.end(actor).reason());
        }
    }

    @AllStrategies
    void stopsOfAllModesAtTheSameTimeEndTheActorOnce(ThreadStrategy strategy) {
        for (int round = 0; round < 300; round++) {
            var ends = new AtomicInteger();
            var actor = actor(strategy).onStop(exit -> ends.incrementAndGet()).newActor((Integer n) -> {});
            actor.tell(1);
            List<Future<?>> stops = new ArrayList<>();
            for (StopMode mode : StopMode.values()) {
                stops.add(threads.submit(() -> actor.stop(mode)));
            }
            stops.forEach(Await::value);
            assertNull(Await.end(actor).cause());
            assertEquals(1, ends.get());
        }
    }

    /** Each of the senders sends until it is refused, or has sent enough. */
    private static List<Future<?>> fromSenders(Runnable sending) {
        List<Future<?>> senders = new ArrayList<>();
        for (int i = 0; i < SENDERS; i++) {
            senders.add(threads.submit(() -> {
                try {
                    for (int k = 0; k < MESSAGES_OF_A_SENDER; k++) {
                        sending.run();
                    }
                } catch (ActorStoppedException refused) {
                    return;
                }
            }));
        }
        return senders;
    }

    private static void awaitCount(AtomicInteger count, int wanted) {
        Await.soon(wanted + " are sent", () -> count.get() >= wanted);
    }
}
