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
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** The common end of a system's actors. */
class SystemCloseTest extends KernelTest {

    @AllStrategies
    void acceptedMessagesAreHandledIncludingAnonymousActorsAndChainsOfTells(ThreadStrategy strategy) {
        var handled = new AtomicInteger();
        Actor<Integer> last = actor(strategy).newActor((Integer n) -> handled.incrementAndGet());
        List<Actor<Integer>> chain = new ArrayList<>(List.of(last));
        for (int i = 0; i < 20; i++) {
            var next = chain.get(i);
            chain.add(actor(strategy).newActor((Integer n) -> {
                handled.incrementAndGet();
                tellIfOpen(next, n);
            }));
        }
        for (int n = 0; n < 100; n++) {
            chain.get(20).tell(n);
        }
        assertTrue(system.close(Await.LIMIT));
        boolean ownThreads = strategy.equals(ThreadStrategy.platform());
        assertTrue(ownThreads ? handled.get() >= 100 : handled.get() == 2_100, () -> "handled " + handled);
    }

    @AllStrategies
    void afterTheCloseNoActorIsMadeAndNoMessageHandled(ThreadStrategy strategy) {
        var handled = new AtomicInteger();
        var actor = actor(strategy).newActorWithReturn((Integer n) -> handled.incrementAndGet());
        var stopped = actor(strategy).newActorWithReturn((Integer n) -> handled.incrementAndGet());
        stopped.close();
        assertFalse(system.isClosing());
        system.close();
        assertTrue(system.isClosing());
        for (int i = 0; i < 100; i++) {
            assertInstanceOf(ActorStoppedException.class, Await.failure(actor.ask(i)));
        }
        assertInstanceOf(ActorStoppedException.class, Await.failure(stopped.ask(1)));
        Await.until("tells are refused", () -> {
            try {
                actor.tell(1);
                return false;
            } catch (ActorStoppedException e) {
                return true;
            }
        });
        actor.close();
        Await.end(actor);
        assertEquals(0, handled.get());
        var e = assertThrows(IllegalStateException.class, () -> actor(strategy).newSink(null));
        assertTrue(e.getMessage().contains("closed"), e::getMessage);
        assertThrows(IllegalStateException.class, () -> actor(strategy).runOnce(() -> {}));
        assertThrows(
                IllegalStateException.class,
                () -> system.actor("clerk").strategy(strategy).newSink(null));
    }

    @AllStrategies
    void afterTheDeadlineQueuesAreDiscardedAndHandlersInterrupted(ThreadStrategy strategy) {
        var gate = new Gate();
        ReplyActor<Integer, Integer> stuck = actor(strategy).newActorWithReturn((Integer n) -> {
            gate.pass();
            return n;
        });
        stuck.tell(1);
        var queued = stuck.ask(2);
        gate.awaitReached();
        boolean unused = system.close(Duration.ofMillis(10)); // forces the stop
        assertTrue(system.close(Await.LIMIT));
        assertTrue(gate.wasInterrupted());
        assertInstanceOf(ActorStoppedException.class, Await.failure(queued));
    }

    @AllStrategies
    void aStuckResourceIsInterruptedToo(ThreadStrategy strategy) {
        var gate = new Gate();
        var actor = actor(strategy).newSink(null).closeOnExit(gate::pass);
        actor.stop();
        gate.awaitReached();
        var closer = Thread.ofPlatform().daemon().start(() -> system.close(Duration.ZERO));
        try {
            Await.until("the resource is interrupted", gate::wasInterrupted);
        } finally {
            gate.open();
        }
        Await.thread(closer);
        assertTrue(actor.exit().isDone());
    }

    @AllStrategies
    void anInterruptedCloserInterruptsTheHandlersAtOnce(ThreadStrategy strategy) {
        var gate = new Gate();
        var actor = actor(strategy).newActor((Integer n) -> gate.pass());
        actor.tell(1);
        gate.awaitReached();
        var outcome = new CompletableFuture<Boolean>();
        var closer = Thread.ofPlatform().daemon().start(() -> {
            system.close(Duration.ofDays(1));
            outcome.complete(Thread.currentThread().isInterrupted());
        });
        closer.interrupt();
        assertTrue(Await.value(outcome));
        assertTrue(gate.wasInterrupted());
    }

    @AllStrategies
    void closeFromInsideDoesNotWaitAndCloses(ThreadStrategy strategy) {
        var closed = new AtomicInteger();
        var ended = new CompletableFuture<Boolean>();
        var closer = system.actor("clerk")
                .strategy(strategy)
                .onStop(exit -> closed.incrementAndGet())
                .newActor((Integer n) -> ended.complete(system.close(Duration.ofDays(1))));
        closer.tell(1);
        assertFalse(Await.value(ended));
        Await.end(closer);
        system.close();
        assertEquals(1, closed.get());
        assertThrows(IllegalStateException.class, () -> system.actor().newSink(null));
    }

    @AllStrategies(direct = true)
    void aStageOfAnExitCanCloseTheSystem(ThreadStrategy strategy) {
        for (String name : new String[] {null, "clerk"}) {
            var other = ActorSystem.create(strategy);
            var actor = (name == null ? other.actor() : other.actor(name)).newSink(null);
            var closed = new CompletableFuture<Boolean>();
            var stopper = Thread.ofPlatform().daemon().start(() -> {
                var heard = actor.exit().thenAccept(exit -> other.close(Duration.ofDays(1)));
                actor.stop();
                Await.value(heard);
                closed.complete(true);
            });
            assertTrue(Await.value(closed), () -> stopper + " closed it");
            other.close(Await.LIMIT);
        }
    }

    @AllStrategies
    void closeDoesNotSpinDuringASlowStageOfAnExit(ThreadStrategy strategy) {
        var gate = new Gate();
        var actor = system.actor("clerk").strategy(strategy).newSink(null);
        var heard = actor.exit().thenAccept(exit -> gate.pass());
        actor.stop();
        gate.awaitReached();
        var closed = new CompletableFuture<Boolean>();
        var closer = Thread.ofPlatform().daemon().start(() -> {
            system.close(Await.LIMIT);
            closed.complete(true);
        });
        Await.untilBlocked(closer); // it does not spin
        gate.open();
        assertTrue(Await.value(closed));
        Await.value(heard);
    }

    @Test
    void anActorOnTheThreadOfAnotherSystemsActorCanCloseItsOwnSystem() {
        var other = ActorSystem.create(ThreadStrategy.pool(Runnable::run));
        var theirs = other.actor().newActorWithReturn((Integer n) -> {
            other.close(Duration.ofDays(1));
            return n;
        });
        var mine = system.actor().newActorWithReturn((Integer n) -> Await.value(theirs.ask(n)));
        assertEquals(1, Await.value(mine.ask(1)));
        other.close(Await.LIMIT);
    }

    @AllStrategies
    void concurrentClosesAllWaitForTheEnd(ThreadStrategy strategy) {
        var gate = new Gate();
        var ended = new AtomicInteger();
        actor(strategy)
                .onStop(exit -> ended.incrementAndGet())
                .newActor((Integer n) -> gate.pass())
                .tell(1);
        gate.awaitReached();
        var seen = new CopyOnWriteArrayList<Integer>();
        List<Thread> closers = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            closers.add(Thread.ofPlatform().daemon().start(() -> {
                system.close(Await.LIMIT);
                seen.add(ended.get());
            }));
        }
        closers.forEach(Await::untilBlocked);
        gate.open();
        closers.forEach(Await::thread);
        assertEquals(List.of(1, 1), seen);
        system.close();
    }

    @AllStrategies
    void phasesEndInSequence(ThreadStrategy strategy) {
        var ended = new CopyOnWriteArrayList<StopPhase>();
        for (StopPhase phase : List.of(StopPhase.ACTORS, StopPhase.SERVERS, StopPhase.SCHEDULES, StopPhase.SERVERS)) {
            actor(strategy).stopPhase(phase).onStop(exit -> ended.add(phase)).newSink(null);
        }
        system.close();
        assertEquals(
                List.of(StopPhase.SERVERS, StopPhase.SERVERS, StopPhase.SCHEDULES, StopPhase.ACTORS),
                List.copyOf(ended));
    }

    /** A parent that is itself a child is stopped by its parent, when that one has handled its last message. */
    @AllStrategies
    void descendantsWorkUntilTheRootHasHandledItsLastMessage(ThreadStrategy strategy) {
        var gate = new Gate();
        var handled = new CountDownLatch(1);
        var child = new CompletableFuture<Actor<Integer>>();
        Actor<Integer> eldest = actor(strategy).newActor((Integer n) -> {
            gate.pass();
            Await.value(child).tell(n);
        });
        var middle = actor(strategy).childOf(eldest).newActor((Integer n) -> handled.countDown());
        actor(strategy).childOf(middle).newSink(null);
        child.complete(middle);
        eldest.tell(1);
        gate.awaitReached();
        var closer = Thread.ofPlatform().daemon().start(() -> system.close(Await.LIMIT));
        Await.until("the system closes", system::isClosing);
        Await.untilBlocked(closer);
        gate.open();
        Await.thread(closer);
        assertEquals(0, handled.getCount());
    }

    @Test
    void twoSystemsAreIndependent() {
        try (var other = ActorSystem.create()) {
            var mine = system.actor("clerk").newActorWithReturn((Integer n) -> n);
            var theirs = other.actor("clerk").newActorWithReturn((Integer n) -> -n);
            system.close();
            assertInstanceOf(ActorStoppedException.class, Await.failure(mine.ask(1)));
            assertEquals(-1, Await.value(theirs.ask(1)));
            assertFalse(other.isClosing());
        }
    }

    @Test
    void anActorOfOneSystemCanCloseAnother() {
        var other = ActorSystem.create();
        var handled = new AtomicInteger();
        var theirs = other.actor().newActor((Integer n) -> handled.incrementAndGet());
        var closer = system.actor().newActorWithReturn((Integer n) -> {
            theirs.tell(n);
            other.close();
            return handled.get();
        });
        assertEquals(1, Await.value(closer.ask(1)));
    }

    private static void tellIfOpen(Actor<Integer> actor, Integer message) {
        try {
            actor.tell(message);
        } catch (ActorStoppedException e) {
            assertTrue(actor.exit() != null);
        }
    }
}
