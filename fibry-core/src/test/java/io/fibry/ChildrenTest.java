package io.fibry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.testing.AllStrategies;
import io.fibry.testing.Await;
import io.fibry.testing.Gate;
import io.fibry.testing.KernelTest;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Children are stopped with their parent, and end before it. */
class ChildrenTest extends KernelTest {

    @AllStrategies(direct = true)
    void childrenEndBeforeTheirParent(ThreadStrategy strategy) {
        var ended = new CopyOnWriteArrayList<String>();
        var parent = actor(strategy).onStop(exit -> ended.add("parent")).newSink(null);
        var child = actor(strategy)
                .childOf(parent)
                .onStop(exit -> ended.add("child"))
                .newSink(null);
        actor(strategy).childOf(child).onStop(exit -> ended.add("grandchild")).newSink(null);
        parent.stop();
        Await.end(parent);
        assertTrue(child.exit().isDone());
        assertEquals(List.of("grandchild", "child", "parent"), ended);
    }

    @AllStrategies(direct = true)
    void aBehaviorSpawnsChildrenAndUsesThemUpToItsLastMessage(ThreadStrategy strategy) {
        var handled = new AtomicInteger();
        var children = new CopyOnWriteArrayList<Actor<Integer>>();
        Actor<Integer> parent = actor(strategy).newActorFrom(context -> n -> {
            if (n < 3) {
                children.add(context.spawn().strategy(strategy).newActor((Integer m) -> handled.incrementAndGet()));
            }
            children.forEach(child -> child.tell(n));
        });
        for (int n = 0; n < 10; n++) {
            parent.tell(n);
        }
        parent.stop();
        assertEquals(ActorExit.Reason.NORMAL, Await.end(parent).reason());
        assertEquals(3, children.size());
        assertEquals(10 + 9 + 8, handled.get());
    }

    @AllStrategies
    void theParentWaitsForTheAcceptedMessagesOfItsChildren(ThreadStrategy strategy) {
        var gate = new Gate();
        var stopped = new CountDownLatch(1);
        var handled = new AtomicInteger();
        var parent = actor(strategy).newSink(null);
        var child = actor(strategy)
                .childOf(parent)
                .onStopRequested(mode -> stopped.countDown())
                .newActor((Integer n) -> {
                    gate.pass();
                    handled.incrementAndGet();
                });
        child.tell(1);
        child.tell(2);
        gate.awaitReached();
        parent.stop();
        Await.latch(stopped);
        assertFalse(parent.exit().isDone());
        gate.open();
        Await.end(parent);
        assertEquals(2, handled.get());
    }

    @AllStrategies
    void theParentsHarderStopReachesTheChildren(ThreadStrategy strategy) {
        for (StopMode softer : new StopMode[] {StopMode.DRAIN, StopMode.DISCARD}) {
            var gate = new Gate();
            var stopped = new CountDownLatch(1);
            var handled = new AtomicInteger();
            var parent = actor(strategy).newSink(null);
            var child = actor(strategy)
                    .childOf(parent)
                    .onStopRequested(mode -> stopped.countDown())
                    .newActor((Integer n) -> {
                        gate.pass();
                        handled.incrementAndGet();
                    });
            child.tell(1);
            child.tell(2);
            gate.awaitReached();
            parent.stop(softer);
            Await.latch(stopped);
            parent.stop(StopMode.INTERRUPT);
            assertEquals(ActorExit.Reason.INTERRUPTED, Await.end(parent).reason());
            assertEquals(ActorExit.Reason.INTERRUPTED, Await.end(child).reason());
            assertTrue(gate.wasInterrupted());
            assertEquals(0, handled.get());
        }
    }

    @AllStrategies
    void closeOfTheParentEscalatesToAStuckChild(ThreadStrategy strategy) {
        var gate = new Gate();
        var parent = actor(strategy).newSink(null);
        var child = actor(strategy).childOf(parent).newActor((Integer n) -> gate.pass());
        child.tell(1);
        gate.awaitReached();
        boolean unused = parent.close(Duration.ZERO); // forces the stop
        assertTrue(parent.close(Await.LIMIT));
        assertTrue(gate.wasInterrupted());
        assertTrue(child.exit().isDone());
    }

    @AllStrategies(direct = true)
    void aParentThatHasEndedGetsNoChildren(ThreadStrategy strategy) {
        var parent = actor(strategy).newSink(null);
        var builder = actor(strategy).childOf(parent);
        parent.close();
        assertThrows(ActorStoppedException.class, () -> builder.newSink(null));
        assertThrows(ActorStoppedException.class, () -> builder.runOnce(() -> {}));
    }

    @AllStrategies(direct = true)
    void theEndOfAChildIsNotTheEndOfItsParent(ThreadStrategy strategy) {
        var parent = actor(strategy).newActorWithReturn((Integer n) -> n);
        for (StopMode mode : StopMode.values()) {
            var child = actor(strategy).childOf(parent).newSink(null);
            child.stop(mode);
            Await.end(child);
        }
        Await.end(actor(strategy).childOf(parent).runOnce(() -> {
            throw new IllegalStateException("thrown on purpose");
        }));
        assertEquals(1, Await.value(parent.ask(1)));
    }

    @AllStrategies(direct = true)
    void aFailedParentStopsItsChildren(ThreadStrategy strategy) {
        var parent = actor(strategy).supervision(Supervision.stop()).newActor((Integer n) -> {
            throw new IllegalStateException("thrown on purpose");
        });
        var child = actor(strategy).childOf(parent).newSink(null);
        parent.tell(1);
        assertEquals(ActorExit.Reason.FAILED, Await.end(parent).reason());
        assertTrue(child.exit().isDone());
    }

    @AllStrategies
    void aChildCanStopItsParent(ThreadStrategy strategy) {
        var parent = actor(strategy).newSink(null);
        var child = actor(strategy).childOf(parent).newActor((Integer n) -> parent.stop());
        child.tell(1);
        assertEquals(ActorExit.Reason.NORMAL, Await.end(parent).reason());
    }

    /** The parent's end waits for the child. A child that waited for its parent would wait for itself. */
    @AllStrategies
    void aChildThatClosesItsParentDoesNotWait(ThreadStrategy strategy) {
        var returned = new CompletableFuture<Boolean>();
        var grandparent = actor(strategy).newSink(null);
        var parent = actor(strategy).childOf(grandparent).newSink(null);
        var child = actor(strategy).childOf(parent).newActor((Integer n) -> {
            grandparent.close(Duration.ZERO);
            returned.complete(Thread.interrupted());
        });
        child.tell(1);
        assertFalse(Await.value(returned));
        assertEquals(ActorExit.Reason.NORMAL, Await.end(grandparent).reason());
    }

    @Test
    void aForwardingActorAsParentRepresentsItsTarget() {
        var parent = system.actor().newSink(null);
        var handle = new ForwardingActor<Object>(parent) {};
        var child = system.actor().childOf(handle).newSink(null);
        handle.close();
        assertTrue(child.exit().isDone());
    }
}
