package io.fibry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.testing.AllStrategies;
import io.fibry.testing.Await;
import io.fibry.testing.Gate;
import io.fibry.testing.KernelTest;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Mailboxes with a limit. An actor that waits at a gate is handling one message, and the others wait in its mailbox.
 */
class OverflowTest extends KernelTest {

    private final Gate gate = new Gate();
    private final List<Integer> handled = Collections.synchronizedList(new ArrayList<>());

    @AllStrategies
    void failThrowsToTheSender(ThreadStrategy strategy) {
        var actor = fullWithTwo(strategy, Overflow.FAIL);
        var e = assertThrows(MailboxFullException.class, () -> actor.tell(3));
        assertTrue(e.getMessage().contains(actor.name()) && e.getMessage().contains("2"), e::getMessage);
        assertInstanceOf(MailboxFullException.class, Await.failure(actor.ask(3)));
        assertThrows(MailboxFullException.class, () -> actor.execute(() -> handled.add(3)));
        assertHandles(actor, 0, 1, 2);
    }

    @AllStrategies
    void dropNewestDropsTheNewMessage(ThreadStrategy strategy) {
        var actor = fullWithTwo(strategy, Overflow.DROP_NEWEST);
        actor.tell(3);
        assertInstanceOf(MailboxFullException.class, Await.failure(actor.ask(4)));
        assertHandles(actor, 0, 1, 2);
    }

    @AllStrategies
    void dropOldestDropsTheOldestWaitingMessage(ThreadStrategy strategy) {
        var actor = fullWithTwo(strategy, Overflow.DROP_OLDEST);
        var asked = actor.ask(3); // instead of 1
        actor.tell(4); // instead of 2
        assertFalse(asked.isDone());
        actor.tell(5); // instead of 3
        assertInstanceOf(MailboxFullException.class, Await.failure(asked));
        assertHandles(actor, 0, 4, 5);
    }

    @AllStrategies
    void blockWaitsForRoomAndKeepsTheOrder(ThreadStrategy strategy) {
        var actor = fullWithTwo(strategy, Overflow.BLOCK);
        var sender = Thread.ofVirtual().start(() -> {
            for (int i = 3; i < 100; i++) {
                actor.tell(i);
            }
        });
        Await.untilBlocked(sender);
        assertEquals(2, actor.mailboxSize().orElseThrow());
        gate.open();
        Await.thread(sender);
        actor.close();
        assertEquals(IntStream.range(0, 100).boxed().toList(), handled);
    }

    @AllStrategies
    void manyWaitingSendersAllComplete(ThreadStrategy strategy) {
        int senders = 50;
        int each = 200;
        var sum = new AtomicInteger();
        Actor<Integer> actor = actor(strategy).bounded(3, Overflow.BLOCK).newActor((Integer n) -> sum.addAndGet(n));
        var done = new CountDownLatch(senders);
        for (int s = 0; s < senders; s++) {
            Thread.ofVirtual().start(() -> {
                for (int i = 0; i < each; i++) {
                    actor.tell(1);
                }
                done.countDown();
            });
        }
        Await.latch(done);
        actor.close();
        assertEquals(senders * each, sum.get());
    }

    @AllStrategies
    void aWaitingSenderCanBeInterrupted(ThreadStrategy strategy) {
        var actor = fullWithTwo(strategy, Overflow.BLOCK);
        var interrupted = new CompletableFuture<Boolean>();
        var sender = Thread.ofVirtual().start(() -> {
            assertThrows(ActorInterruptedException.class, () -> actor.tell(3));
            interrupted.complete(Thread.currentThread().isInterrupted());
        });
        Await.untilBlocked(sender);
        sender.interrupt();
        assertTrue(Await.value(interrupted));
        assertHandles(actor, 0, 1, 2);
    }

    @AllStrategies
    void aWaitingSenderGetsTheRefusalAtTheStop(ThreadStrategy strategy) {
        var actor = fullWithTwo(strategy, Overflow.BLOCK);
        var refused = new CompletableFuture<Exception>();
        var sender = Thread.ofVirtual()
                .start(() -> refused.complete(assertThrows(ActorStoppedException.class, () -> actor.tell(3))));
        Await.untilBlocked(sender);
        actor.stop();
        Await.value(refused);
        assertHandles(actor, 0, 1, 2);
    }

    @AllStrategies
    void aDiscardingStopFailsTheWaitingAsks(ThreadStrategy strategy) {
        var actor = startAtGate(strategy, 5, Overflow.FAIL);
        var asked = actor.ask(1);
        actor.stop(StopMode.DISCARD);
        gate.open();
        assertInstanceOf(ActorStoppedException.class, Await.failure(asked));
        Await.end(actor);
        assertThrows(ActorStoppedException.class, () -> actor.tell(2));
        assertThrows(ActorStoppedException.class, () -> actor.tryTell(2));
        assertEquals(List.of(0), handled);
    }

    @AllStrategies
    void tryTellNeverWaits(ThreadStrategy strategy) {
        for (Overflow overflow : List.of(Overflow.BLOCK, Overflow.FAIL, Overflow.DROP_NEWEST)) {
            var own = new Gate();
            Actor<Integer> actor = actor(strategy).bounded(1, overflow).newActor((Integer n) -> own.pass());
            actor.tell(0);
            own.awaitReached();
            assertTrue(actor.tryTell(1));
            assertFalse(actor.tryTell(2), overflow::toString);
            assertEquals(1, actor.mailboxSize().orElseThrow());
            own.open();
        }
        Actor<Integer> unbounded = actor(strategy).newActor((Integer n) -> {});
        assertTrue(unbounded.tryTell(1));
        var actor = fullWithTwo(strategy, Overflow.DROP_OLDEST);
        assertTrue(actor.tryTell(3));
        assertHandles(actor, 0, 2, 3);
    }

    // ---- cycles

    @AllStrategies
    void anActorThatWaitsForRoomInItsOwnMailboxGetsAnException(ThreadStrategy strategy) {
        var result = new CompletableFuture<MailboxFullException>();
        Actor<Integer> actor = actor(strategy).bounded(1, Overflow.BLOCK).newActorFrom(self -> n -> {
            if (n == 0) {
                self.self().tell(1);
                result.complete(assertThrows(
                        MailboxFullException.class, () -> self.self().tell(2)));
            }
        });
        actor.tell(0);
        assertTrue(Await.value(result).getMessage().contains(actor.name() + " waits for room at " + actor.name()));
    }

    @AllStrategies
    void aCycleOfActorsThatWaitForEachOtherIsBroken(ThreadStrategy strategy) {
        int size = 3;
        var ring = new ArrayList<Actor<Integer>>();
        var allRunning = new CountDownLatch(size);
        var allFull = new CountDownLatch(size);
        var told = new CompletableFuture<MailboxFullException>();
        for (int i = 0; i < size; i++) {
            int next = (i + 1) % size;
            ring.add(actor(strategy).bounded(1, Overflow.BLOCK).newActor((Integer n) -> {
                if (n == 0) {
                    allRunning.countDown();
                    Await.latch(allRunning);
                    ring.get(next).tell(1);
                    allFull.countDown();
                    Await.latch(allFull);
                    try {
                        ring.get(next).tell(2);
                    } catch (MailboxFullException e) {
                        told.complete(e);
                    }
                }
            }));
        }
        ring.forEach(actor -> actor.tell(0));
        String message = Await.value(told).getMessage();
        ring.forEach(actor -> assertTrue(message.contains(actor.name()), message));
        ring.forEach(Actor::close); // no sender waits any more
    }

    // ---- bad input, and the size

    @Test
    void invalidArgumentsAreRefused() {
        var builder = system.actor();
        assertTrue(assertThrows(IllegalArgumentException.class, () -> builder.bounded(0, Overflow.FAIL))
                .getMessage()
                .contains("0"));
        assertThrows(NullPointerException.class, () -> builder.bounded(1, null));
        builder.priority(Comparator.<Integer>naturalOrder());
        assertThrows(IllegalArgumentException.class, () -> builder.bounded(1, Overflow.DROP_OLDEST));
        Actor<Integer> unbounded = system.actor().newActor((Integer n) -> {});
        assertTrue(unbounded.mailboxSize().isEmpty());
    }

    // ---- helpers

    private ReplyActor<Integer, Integer> startAtGate(ThreadStrategy strategy, int capacity, Overflow overflow) {
        ReplyActor<Integer, Integer> actor = actor(strategy)
                .bounded(capacity, overflow)
                .newActorWithReturn((Integer n) -> {
                    if (n == 0) {
                        gate.pass();
                    }
                    handled.add(n);
                    return n;
                });
        actor.tell(0);
        gate.awaitReached();
        assertEquals(0, actor.mailboxSize().orElseThrow());
        return actor;
    }

    private ReplyActor<Integer, Integer> fullWithTwo(ThreadStrategy strategy, Overflow overflow) {
        var actor = startAtGate(strategy, 2, overflow);
        actor.tell(1);
        actor.tell(2);
        assertEquals(2, actor.mailboxSize().orElseThrow());
        return actor;
    }

    private void assertHandles(Actor<Integer> actor, Integer... messages) {
        gate.open();
        actor.close();
        assertEquals(List.of(messages), handled);
    }
}
