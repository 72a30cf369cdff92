package io.fibry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.fibry.testing.AllStrategies;
import io.fibry.testing.Await;
import io.fibry.testing.Gate;
import io.fibry.testing.KernelTest;
import io.fibry.testing.LogLines;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** Lifetimes that are tied to an actor's. */
class CloseOnExitTest extends KernelTest {

    @AllStrategies(direct = true)
    void resourcesAreClosedInOrderAndBeforeExitCompletes(ThreadStrategy strategy) {
        var closed = new CopyOnWriteArrayList<String>();
        var actor = actor(strategy)
                .onStop(exit -> closed.add("hook"))
                .newSink(null)
                .closeOnExit(() -> closed.add("first"), () -> closed.add("second"))
                .closeOnExit(() -> closed.add("third"));
        var atExit = actor.exit().thenApply(exit -> List.copyOf(closed));
        assertEquals(List.of(), closed);
        actor.stop();
        assertEquals(List.of("hook", "first", "second", "third"), Await.value(atExit));
    }

    @AllStrategies
    void resourcesAreClosedAfterTheLastMessage(ThreadStrategy strategy) {
        var seen = new CopyOnWriteArrayList<String>();
        var gate = new Gate();
        var actor = actor(strategy).newActor((String message) -> {
            gate.pass();
            seen.add(message);
        });
        actor.closeOnExit(() -> seen.add("closed"));
        actor.tell("one");
        actor.tell("two");
        actor.stop();
        gate.open();
        Await.end(actor);
        assertEquals(List.of("one", "two", "closed"), seen);
    }

    @AllStrategies
    void actorsAreStoppedAndNotWaitedFor(ThreadStrategy strategy) {
        var gate = new Gate();
        var handled = new AtomicInteger();
        var other = actor(strategy).newActor((Integer n) -> {
            gate.pass();
            handled.incrementAndGet();
        });
        other.tell(1);
        other.tell(2);
        gate.awaitReached();
        var actor = actor(strategy).newSink(null).closeOnExit(other);
        actor.stop();
        Await.end(actor);
        assertFalse(other.exit().isDone());
        assertThrows(ActorStoppedException.class, () -> other.tell(3));
        gate.open();
        Await.end(other);
        assertEquals(2, handled.get());
    }

    @AllStrategies(direct = true)
    void afterTheEndAResourceIsClosedAtOnce(ThreadStrategy strategy) {
        var actor = actor(strategy).newSink(null);
        actor.close();
        var closed = new AtomicInteger();
        var other = actor(strategy).newSink(null);
        actor.closeOnExit(closed::incrementAndGet, other);
        assertEquals(1, closed.get());
        assertThrows(ActorStoppedException.class, () -> other.tell("message"));
    }

    @AllStrategies(direct = true)
    void anExceptionIsLoggedAndTheOtherResourcesAreClosed(ThreadStrategy strategy) {
        try (var log = new LogLines()) {
            var closed = new AtomicInteger();
            var actor = system.actor("clerk").strategy(strategy).newSink(null);
            actor.closeOnExit(
                    () -> {
                        throw new IOException("cannot close");
                    },
                    () -> {
                        throw new StackOverflowError("cannot close");
                    },
                    closed::incrementAndGet);
            actor.stop();
            assertEquals(ActorExit.Reason.NORMAL, Await.end(actor).reason());
            assertEquals(1, closed.get());
            assertEquals(2, log.with("ERROR", "clerk", "close on exit").size(), log::text);
        }
    }

    @AllStrategies(direct = true)
    void resourcesAreClosedHoweverTheActorEnds(ThreadStrategy strategy) {
        for (StopMode mode : StopMode.values()) {
            var closed = new AtomicInteger();
            var actor = actor(strategy).newSink(null).closeOnExit(closed::incrementAndGet);
            actor.stop(mode);
            Await.end(actor);
            assertEquals(1, closed.get());
        }
        var closed = new AtomicInteger();
        Await.end(actor(strategy)
                .runOnce(() -> {
                    throw new IOException("thrown on purpose");
                })
                .closeOnExit(closed::incrementAndGet));
        assertEquals(1, closed.get());
    }

    @AllStrategies(direct = true)
    void actorsThatCloseEachOtherEnd(ThreadStrategy strategy) {
        var one = actor(strategy).newSink(null);
        var two = actor(strategy).newSink(null);
        one.closeOnExit(two, one);
        two.closeOnExit(one);
        two.stop();
        Await.end(one);
        Await.end(two);
    }

    @AllStrategies
    void resourcesTiedDuringTheEndAreClosedToo(ThreadStrategy strategy) {
        for (int i = 0; i < 500; i++) {
            var closed = new AtomicInteger();
            var actor = actor(strategy).newSink(null);
            var done = new CompletableFuture<Boolean>();
            Thread.startVirtualThread(() -> {
                for (int k = 0; k < 5; k++) {
                    actor.closeOnExit(closed::incrementAndGet);
                }
                done.complete(true);
            });
            actor.stop();
            Await.value(done);
            Await.end(actor);
            assertEquals(5, closed.get());
        }
    }
}
