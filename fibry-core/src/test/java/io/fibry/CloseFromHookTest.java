package io.fibry;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.testing.AllStrategies;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** Code of the program that runs while something ends may close it, and does not wait for its own thread. */
class CloseFromHookTest extends KernelTest {

    private static final Duration LONG = Duration.ofDays(1);

    @AllStrategies(direct = true)
    void theHookOfAChildMayCloseTheParent(ThreadStrategy strategy) {
        var parent = actor(strategy).newSink(null);
        actor(strategy)
                .childOf(parent)
                .onStopRequested(mode -> parent.close(LONG))
                .newSink(null);
        parent.stop();
        assertTrue(Await.end(parent).isNormal());
    }

    @AllStrategies(direct = true)
    void theHookOfAChildMayCloseTheSystem(ThreadStrategy strategy) {
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
    void theHookOfAChildMayCloseAParentThatIsRestarted(ThreadStrategy strategy) {
        var parent = new Counting().actor(actor(strategy).supervision(Supervision.restart()));
        actor(strategy)
                .childOf(parent)
                .onStopRequested(mode -> parent.close(LONG))
                .newSink(null);
        assertInstanceOf(IllegalStateException.class, Await.failure(parent.ask(new IllegalStateException("fails"))));
        assertTrue(Await.end(parent).isNormal());
    }

    /** The interrupt that a hook leaves is not for the actor that the thread runs next. */
    @AllStrategies
    void anInterruptThatAHookLeavesIsForNobody(ThreadStrategy strategy) {
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
    void aHookOnTheThreadThatClosesTheSystemMayCloseIt() {
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
    void oneWhoHearsOfADiscardedAskMayCloseTheSystem() {
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
        system.close(Duration.ofMillis(1));
        assertTrue(heard.isDone());
    }

    /** The stop has the role of a paused actor, and passes it on before it tells anybody. */
    @AllStrategies
    void oneWhoHearsOfADiscardedAskMayCloseTheActor(ThreadStrategy strategy) {
        var actor = new Counting()
                .actor(actor(strategy).supervision(Supervision.restart().backoff(LONG, LONG)));
        Await.failure(actor.ask(new IllegalStateException("meant to fail")));
        Counting.awaitPause(actor);
        var heard = actor.ask("a").exceptionally(failure -> {
            actor.close(LONG); // waits, unless it is the actor itself that tells
            return -1;
        });
        Thread.ofPlatform().daemon().start(() -> actor.stop(StopMode.DISCARD));
        Await.end(actor);
        Await.value(heard);
    }

    /** Actors of two systems that close each other's. */
    @Test
    void twoSystemsThatCloseEachOtherEnd() {
        try (var other = ActorSystem.create()) {
            var bothAtWork = new CountDownLatch(2);
            system.actor().newSink(null).execute(() -> closeTogether(other, bothAtWork));
            other.actor().newSink(null).execute(() -> closeTogether(system, bothAtWork));
            system.close(LONG);
        }
    }

    private static void closeTogether(ActorSystem theirs, CountDownLatch bothAtWork) {
        bothAtWork.countDown();
        Await.latch(bothAtWork);
        theirs.close(Duration.ofMillis(10));
    }
}
