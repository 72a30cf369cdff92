package io.fibry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.testing.AllStrategies;
import io.fibry.testing.Await;
import io.fibry.testing.Gate;
import io.fibry.testing.KernelTest;
import io.fibry.testing.LogLines;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

/** The effect of each {@link StopMode} on the current message and the messages behind it. */
class StopModeTest extends KernelTest {

    /** An actor whose current message waits at the gate, and some asks behind it. */
    private final class Busy {
        final Gate gate = new Gate();
        final AtomicInteger handled = new AtomicInteger();
        final ReplyActor<Integer, Integer> actor;
        final CompletableFuture<Integer> inWork;
        final List<CompletableFuture<Integer>> queued = new ArrayList<>();

        Busy(ThreadStrategy strategy) {
            actor = actor(strategy).newActorWithReturn((Integer n) -> {
                if (n == 0) {
                    gate.pass();
                }
                handled.incrementAndGet();
                return n;
            });
            inWork = actor.ask(0);
            gate.awaitReached();
            for (int i = 1; i <= 200; i++) { // more than a batch
                queued.add(actor.ask(i));
            }
        }

        void assertQueuedAreDiscarded() {
            for (var reply : queued) {
                assertInstanceOf(ActorStoppedException.class, Await.failure(reply));
            }
        }
    }

    @AllStrategies
    void drainHandlesAllAcceptedMessages(ThreadStrategy strategy) {
        var busy = new Busy(strategy);
        busy.actor.stop();
        assertFalse(busy.actor.exit().isDone());
        busy.gate.open();
        assertEquals(ActorExit.Reason.NORMAL, Await.end(busy.actor).reason());
        assertEquals(201, busy.handled.get());
        for (int i = 0; i < busy.queued.size(); i++) {
            assertEquals(i + 1, Await.value(busy.queued.get(i)));
        }
    }

    @AllStrategies
    void discardFinishesTheCurrentMessageAndFailsTheAsksBehindIt(ThreadStrategy strategy) {
        var busy = new Busy(strategy);
        busy.actor.stop(StopMode.DISCARD);
        busy.gate.open();
        assertEquals(ActorExit.Reason.NORMAL, Await.end(busy.actor).reason());
        assertEquals(0, Await.value(busy.inWork));
        assertEquals(1, busy.handled.get());
        busy.assertQueuedAreDiscarded();
    }

    @AllStrategies
    void interruptInterruptsTheCurrentMessage(ThreadStrategy strategy) {
        var busy = new Busy(strategy);
        busy.actor.stop(StopMode.INTERRUPT);
        assertEquals(ActorExit.Reason.INTERRUPTED, Await.end(busy.actor).reason());
        assertInstanceOf(ActorInterruptedException.class, Await.failure(busy.inWork));
        assertTrue(busy.gate.wasInterrupted());
        assertEquals(0, busy.handled.get());
        busy.assertQueuedAreDiscarded();
    }

    @AllStrategies
    void aStopCanBeMadeHarder(ThreadStrategy strategy) {
        var busy = new Busy(strategy);
        busy.actor.stop(StopMode.DRAIN);
        busy.actor.stop(StopMode.DISCARD);
        busy.actor.stop(StopMode.INTERRUPT);
        assertEquals(ActorExit.Reason.INTERRUPTED, Await.end(busy.actor).reason());
        assertTrue(busy.gate.wasInterrupted());
        busy.assertQueuedAreDiscarded();
    }

    @AllStrategies
    void aStopCannotBeMadeSofter(ThreadStrategy strategy) {
        var busy = new Busy(strategy);
        busy.actor.stop(StopMode.DISCARD);
        busy.actor.stop(StopMode.DRAIN);
        busy.actor.stop();
        busy.gate.open();
        assertEquals(ActorExit.Reason.NORMAL, Await.end(busy.actor).reason());
        assertEquals(1, busy.handled.get());
        busy.assertQueuedAreDiscarded();
    }

    @AllStrategies
    void aLaterInterruptReachesAMessageOfADrain(ThreadStrategy strategy) {
        var gate = new Gate();
        var later = new Gate();
        var actor = actor(strategy).newActor((Gate g) -> g.pass());
        actor.tell(gate);
        actor.tell(later);
        gate.awaitReached();
        actor.stop();
        gate.open();
        later.awaitReached();
        actor.stop(StopMode.INTERRUPT);
        assertEquals(ActorExit.Reason.INTERRUPTED, Await.end(actor).reason());
        assertTrue(later.wasInterrupted());
        assertFalse(gate.wasInterrupted());
    }

    @AllStrategies
    void discardedTellsAreCountedAndLoggedWithoutTheMessages(ThreadStrategy strategy) {
        try (var log = new LogLines()) {
            var gate = new Gate();
            var actor = system.actor("clerk").strategy(strategy).newActor((Integer n) -> gate.pass());
            actor.tell(0);
            gate.awaitReached();
            for (int i = 0; i < 7; i++) {
                actor.tell(i);
            }
            actor.execute(() -> {});
            actor.stop(StopMode.DISCARD);
            gate.open();
            assertEquals(8, Await.end(actor).discarded());
            var lines = log.with("WARN", "clerk", "java.lang.Integer");
            assertFalse(lines.isEmpty(), log::text);
            assertEquals(lines, log.with("WARN"));
        }
    }

    @AllStrategies(direct = true)
    void anIdleActorStopsInEveryMode(ThreadStrategy strategy) {
        for (StopMode mode : StopMode.values()) {
            var unused = actor(strategy).newActor((Integer n) -> {});
            var used = actor(strategy).newActorWithReturn((Integer n) -> n);
            Await.value(used.ask(1));
            for (Actor<Integer> actor : List.of(unused, used)) {
                actor.stop(mode);
                actor.stop(mode);
                ActorExit exit = Await.end(actor);
                actor.stop(StopMode.INTERRUPT); // after the end nothing changes
                assertEquals(exit, Await.end(actor));
                assertEquals(mode != StopMode.INTERRUPT, exit.isNormal());
            }
        }
    }

    @AllStrategies(direct = true)
    void aHandlerStopsItsOwnActor(ThreadStrategy strategy) {
        for (StopMode mode : StopMode.values()) {
            var handled = new AtomicInteger();
            Actor<Integer> actor = actor(strategy).newActorFrom(context -> n -> {
                handled.incrementAndGet();
                for (int i = 0; i < 100 && n == 0; i++) {
                    context.self().tell(i + 1); // accepted before the stop
                }
                context.self().stop(mode);
            });
            actor.tell(0);
            ActorExit exit = Await.end(actor);
            assertEquals(mode == StopMode.DRAIN ? 101 : 1, handled.get(), mode::toString);
            assertEquals(mode != StopMode.INTERRUPT, exit.isNormal());
        }
    }

    @AllStrategies
    void aHandlerThatStopsItsOwnActorWithInterruptIsInterrupted(ThreadStrategy strategy) {
        var interrupted = new CompletableFuture<Boolean>();
        Actor<Integer> actor = actor(strategy).newActorFrom(context -> n -> {
            context.self().stop(StopMode.INTERRUPT);
            interrupted.complete(Thread.currentThread().isInterrupted());
        });
        actor.tell(1);
        assertTrue(Await.value(interrupted));
        Await.end(actor);
    }
}
