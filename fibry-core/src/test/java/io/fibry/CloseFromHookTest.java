package io.fibry;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.kernel.ActorStates;
import io.fibry.testing.AllStrategies;
import io.fibry.testing.Await;
import io.fibry.testing.CountingBehavior;
import io.fibry.testing.Gate;
import io.fibry.testing.KernelTest;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** User code that runs during an end may close the ending actor or system, and does not wait for its own thread. */
class CloseFromHookTest extends KernelTest {

    private static final Duration LONG = Duration.ofDays(1);

    @AllStrategies(direct = true)
    void theHookOfAChildCanCloseTheParent(ThreadStrategy strategy) {
        var parent = actor(strategy).newSink(null);
        actor(strategy)
                .childOf(parent)
                .onStopRequested(mode -> parent.close(LONG))
                .newSink(null);
        parent.stop();
        assertTrue(Await.end(parent).isNormal());
    }

    @AllStrategies(direct = true)
    void theHookOfAChildCanCloseTheSystem(ThreadStrategy strategy) {
        var parent = actor(strategy).newSink(null);
        actor(strategy)
                .childOf(parent)
                .onStopRequested(mode -> system.close(LONG))
                .newSink(null);
        parent.stop();
        assertTrue(Await.end(parent).isNormal());
        Await.until("the system closes", system::isClosing);
    }

    @AllStrategies(direct = true)
    void theHookOfAChildCanCloseARestartingParent(ThreadStrategy strategy) {
        var parent = new CountingBehavior().actor(actor(strategy).supervision(Supervision.restart()));
        actor(strategy)
                .childOf(parent)
                .onStopRequested(mode -> parent.close(LONG))
                .newSink(null);
        assertInstanceOf(IllegalStateException.class, Await.failure(parent.ask(new IllegalStateException("fails"))));
        assertTrue(Await.end(parent).isNormal());
    }

    /** The interrupt status that a hook leaves does not reach the actor that the thread runs next. */
    @AllStrategies
    void anInterruptThatAHookLeavesReachesNoOtherActor(ThreadStrategy strategy) {
        for (int round = 0; round < 50; round++) {
            var gate = new Gate();
            var parent = actor(strategy).newSink(null);
            var child = actor(strategy)
                    .childOf(parent)
                    .onStopRequested(mode -> Thread.currentThread().interrupt())
                    .newActor((Integer n) -> gate.pass());
            child.tell(1);
            gate.awaitReached();
            var interrupted = new CompletableFuture<Boolean>();
            parent.execute(() -> {
                var other = actor(strategy)
                        .newActor((Integer n) ->
                                interrupted.complete(Thread.currentThread().isInterrupted()));
                other.tell(1); // the next one on this thread
                parent.stop();
            });
            assertFalse(Await.value(interrupted));
            gate.open();
            Await.end(parent);
        }
    }

    @Test
    void aHookOnTheThreadThatClosesTheSystemCanCloseIt() {
        var closed = new CountDownLatch(1);
        system.actor("clerk")
                .onStopRequested(mode -> {
                    system.close(LONG);
                    closed.countDown();
                })
                .newSink(null);
        system.close(LONG);
        Await.latch(closed);
    }

    @Test
    void aStageOfADiscardedAskCanCloseTheSystem() {
        var gate = new Gate();
        var actor = system.actor("clerk").newActorWithReturn((Integer n) -> {
            gate.pass();
            return n;
        });
        actor.tell(1);
        gate.awaitReached();
        var heard = actor.ask(2).exceptionally(failure -> {
            system.close(LONG);
            return -1;
        });
        boolean unused = system.close(Duration.ofMillis(1)); // forces the stop
        assertTrue(system.close(Await.LIMIT));
        assertTrue(heard.isDone());
    }

    /** The stop holds the role of a paused actor, and releases it before it completes any ask. */
    @AllStrategies
    void aStageOfADiscardedAskCanCloseTheActor(ThreadStrategy strategy) {
        var actor = new CountingBehavior()
                .actor(actor(strategy).supervision(Supervision.restart().backoff(LONG, LONG)));
        Await.failure(actor.ask(new IllegalStateException("meant to fail")));
        ActorStates.awaitPause(actor);
        var heard = actor.ask("a").exceptionally(failure -> {
            actor.close(LONG); // waits, unless it is called by the actor itself
            return -1;
        });
        Thread.ofPlatform().daemon().start(() -> actor.stop(StopMode.DISCARD));
        Await.end(actor);
        Await.value(heard);
    }

    /** Actors of two systems close each other's system. */
    @Test
    void twoSystemsThatCloseEachOtherEnd() {
        try (var other = ActorSystem.create()) {
            var bothRunning = new CountDownLatch(2);
            system.actor().newSink(null).execute(() -> closeTogether(other, bothRunning));
            other.actor().newSink(null).execute(() -> closeTogether(system, bothRunning));
            system.close(LONG);
        }
    }

    private static void closeTogether(ActorSystem theirs, CountDownLatch bothRunning) {
        bothRunning.countDown();
        Await.latch(bothRunning);
        theirs.close(Duration.ofMillis(10));
    }
}
