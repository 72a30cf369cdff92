package io.fibry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.testing.AllStrategies;
import io.fibry.testing.Await;
import io.fibry.testing.Gate;
import io.fibry.testing.KernelTest;
import io.fibry.testing.Stats;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** The counters of the messages of a system: sent = handled + refused + dropped + dead, and each counter by itself. */
class SystemStatsTest extends KernelTest {

    /** The counters are exact when no message is handled; a turn may still be about to end. */
    private void assertCounts(long handled, long refused, long dropped, long dead) {
        var wanted = Stats.ofSent(handled, refused, dropped, dead);
        Await.until(wanted + ", now " + system.stats(), () -> system.stats().equals(wanted));
        assertEquals(handled + refused + dropped + dead, system.stats().sent());
    }

    @AllStrategies(direct = true)
    void everyKindOfEndIsCounted(ThreadStrategy strategy) {
        var actor = actor(strategy).newActorWithReturn((Integer n) -> 1 / n);
        actor.tell(1);
        Await.value(actor.ask(1));
        Await.failure(actor.ask(0));
        actor.execute(() -> {});
        assertTrue(actor.tryTell(1));
        assertCounts(5, 0, 0, 0);
        actor.close();
        assertThrows(ActorStoppedException.class, () -> actor.tell(1));
        assertThrows(ActorStoppedException.class, () -> actor.tryTell(1));
        assertThrows(ActorStoppedException.class, () -> actor.execute(() -> {}));
        Await.failure(actor.ask(1));
        assertCounts(5, 4, 0, 0);
    }

    @AllStrategies
    void fullMailboxesAreCounted(ThreadStrategy strategy) {
        for (Overflow overflow : List.of(Overflow.FAIL, Overflow.DROP_NEWEST, Overflow.DROP_OLDEST)) {
            var gate = new Gate();
            var actor = actor(strategy).bounded(1, overflow).newActorWithReturn((Integer n) -> {
                gate.pass();
                return n;
            });
            actor.tell(1);
            gate.awaitReached();
            actor.tell(2);
            assertEquals(overflow == Overflow.DROP_OLDEST, actor.tryTell(3)); // otherwise nothing has happened
            Await.failure(overflow == Overflow.DROP_OLDEST ? replaced(actor) : actor.ask(4));
            gate.open();
            actor.close();
            assertThrows(ActorStoppedException.class, () -> actor.tryTell(5));
        }
        // FAIL: the ask and the last; DROP_NEWEST: the last; DROP_OLDEST: the last
        assertCounts(2 + 2 + 2, 2 + 1 + 1, 1 + 3, 0);
    }

    @AllStrategies
    void anInterruptedTellCountsAsRefused(ThreadStrategy strategy) {
        var gate = new Gate();
        var actor = actor(strategy).bounded(1, Overflow.BLOCK).newActor((Integer n) -> gate.pass());
        actor.tell(1);
        gate.awaitReached();
        actor.tell(2);
        var sender = Thread.ofVirtual().start(() -> assertThrows(ActorInterruptedException.class, () -> actor.tell(3)));
        sender.interrupt(); // before it waits for room, or while it does
        Await.thread(sender);
        gate.open();
        assertCounts(2, 1, 0, 0);
    }

    private static CompletableFuture<?> replaced(ReplyActor<Integer, Integer> actor) {
        var asked = actor.ask(4);
        actor.tell(5);
        return asked;
    }

    @AllStrategies
    void deadLettersAreCounted(ThreadStrategy strategy) {
        system.onDeadLetter(letter -> {});
        var gate = new Gate();
        Actor<Integer> actor = actor(strategy).newActorFrom(context -> n -> {
            if (n == 0) {
                gate.pass();
            } else {
                context.stash();
            }
        });
        actor.tell(1);
        actor.tell(0);
        gate.awaitReached();
        actor.tell(2);
        actor.execute(() -> {});
        actor.stop(StopMode.DISCARD);
        gate.open();
        Await.end(actor);
        assertCounts(1, 0, 0, 3);
    }

    /** A child is known to its parent alone. */
    @AllStrategies
    void messagesOfChildrenAreCounted(ThreadStrategy strategy) {
        var parent = actor(strategy).newSink(null);
        var child = actor(strategy).childOf(parent).newActorWithReturn((Integer n) -> n);
        for (int i = 0; i < 10; i++) {
            Await.value(child.ask(i));
        }
        assertCounts(10, 0, 0, 0);
        parent.close();
        assertCounts(10, 0, 0, 0);
    }

    @AllStrategies
    void anActorThatHasEndedIsStillCounted(ThreadStrategy strategy) {
        for (int i = 0; i < 100; i++) {
            var actor = actor(strategy).newActor((Integer n) -> {});
            actor.tell(1);
            actor.close();
        }
        assertCounts(100, 0, 0, 0);
    }

    @AllStrategies(direct = true)
    void anActorInsideAnotherIsCounted(ThreadStrategy strategy) {
        var inner = actor(strategy).newActorWithReturn((Integer n) -> n + 1);
        var outer =
                actor(strategy).newActorWithReturn((Integer n) -> inner.ask(n).join());
        for (int i = 0; i < 1_000; i++) {
            assertEquals(i + 1, Await.value(outer.ask(i)));
        }
        assertCounts(2_000, 0, 0, 0);
    }

    @Test
    void systemsCountSeparately() {
        try (var other = ActorSystem.create()) {
            var actor = other.actor().newActorWithReturn((Integer n) -> n);
            Await.value(actor.ask(1));
        }
        assertCounts(0, 0, 0, 0);
    }

    /** Whatever the moment of the stop, each sent message has exactly one end. */
    @AllStrategies
    void theSumOfTheCountersIsExactInAnyRaceWithAStop(ThreadStrategy strategy) {
        long seed = 20_261_104;
        var random = new Random(seed);
        system.onDeadLetter(letter -> {});
        int sent = 0;
        for (int round = 0; round < 60; round++) {
            var builder = actor(strategy);
            switch (round % 4) {
                case 0 -> {}
                case 1 -> builder.bounded(8, Overflow.DROP_OLDEST);
                case 2 -> builder.bounded(8, Overflow.DROP_NEWEST);
                default -> builder.bounded(8, Overflow.FAIL);
            }
            var actor = builder.newActorWithReturn((Integer n) -> 1 / (n % 7));
            List<Thread> senders = new ArrayList<>();
            var count = new AtomicInteger();
            List<CompletableFuture<Integer>> asks = Collections.synchronizedList(new ArrayList<>());
            for (int s = 0; s < 3; s++) {
                senders.add(Thread.startVirtualThread(() -> send(actor, count, asks)));
            }
            int stopAfter = random.nextInt(600);
            Await.until("some are sent", () -> count.get() >= stopAfter);
            actor.stop(List.of(StopMode.values()).get(random.nextInt(3)));
            senders.forEach(Await::thread);
            Await.end(actor);
            assertTrue(asks.stream().allMatch(CompletableFuture::isDone), "seed " + seed);
            sent += count.get();
        }
        long all = sent;
        Await.until(
                "seed " + seed + ": " + all + " sent, counted " + system.stats(),
                () -> system.stats().sent() == all);
    }

    private static void send(
            ReplyActor<Integer, Integer> actor, AtomicInteger count, List<CompletableFuture<Integer>> asks) {
        for (int i = 1; i <= 200; i++) {
            try {
                switch (i % 4) {
                    case 0 -> actor.tell(1);
                    case 1 -> actor.execute(() -> {});
                    case 2 -> actor.ask(i).cancel(false);
                    default -> asks.add(actor.ask(i));
                }
                count.incrementAndGet();
            } catch (RejectedExecutionException refused) {
                count.incrementAndGet(); // a refusal is an end, too
            }
        }
    }
}
