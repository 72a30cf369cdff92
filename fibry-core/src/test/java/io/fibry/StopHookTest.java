package io.fibry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

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

/** The hooks around an actor's end. */
class StopHookTest extends KernelTest {

    @AllStrategies(direct = true)
    void theStopHookRunsOnceHoweverTheActorIsStopped(ThreadStrategy strategy) {
        for (StopMode mode : StopMode.values()) {
            var runs = new AtomicInteger();
            var actor = actor(strategy).onStop(exit -> runs.incrementAndGet()).newSink(null);
            var atExit = actor.exit().thenApply(exit -> runs.get());
            actor.stop(mode);
            actor.stop(StopMode.INTERRUPT);
            assertEquals(1, Await.value(atExit));
        }
    }

    @AllStrategies(direct = true)
    void theStopHookRunsAfterAFailureAndAfterATask(ThreadStrategy strategy) {
        var runs = new AtomicInteger();
        Await.end(actor(strategy).onStop(exit -> runs.incrementAndGet()).runOnce(() -> {}));
        assertEquals(1, runs.get());
        Await.end(actor(strategy).onStop(exit -> runs.incrementAndGet()).runOnce(() -> {
            throw new IOException("thrown on purpose");
        }));
        assertEquals(2, runs.get());
        var failing = actor(strategy)
                .onStop(exit -> runs.incrementAndGet())
                .supervision(Supervision.stop())
                .newActor((Integer n) -> {
                    throw new IllegalStateException("thrown on purpose");
                });
        failing.tell(1);
        Await.end(failing);
        assertEquals(3, runs.get());
    }

    @AllStrategies(direct = true)
    void theStopHookGetsANormalExit(ThreadStrategy strategy) {
        var seen = new CompletableFuture<ActorExit>();
        Actor<Integer> actor = actor(strategy).onStop(seen::complete).newActorFrom(context -> n -> {
            if (n == 0) {
                throw new IllegalStateException("thrown on purpose");
            } else if (n == 3) {
                context.stash();
            }
        });
        for (int n = 0; n < 4; n++) {
            actor.tell(n);
        }
        actor.stop();
        assertEquals(new ActorExit(ActorExit.Reason.NORMAL, null, 3, 1, 1, List.of()), Await.value(seen));
        assertEquals(Await.value(seen), Await.end(actor));
    }

    @AllStrategies
    void theStopHookGetsTheFailure(ThreadStrategy strategy) {
        var seen = new CompletableFuture<ActorExit>();
        var failure = new IllegalStateException("thrown on purpose");
        var gate = new Gate();
        var actor = actor(strategy)
                .onStop(seen::complete)
                .supervision(Supervision.stop())
                .newActor((Integer n) -> {
                    gate.pass();
                    throw failure;
                });
        actor.tell(1);
        gate.awaitReached();
        actor.tell(2);
        gate.open();
        assertEquals(new ActorExit(ActorExit.Reason.FAILED, failure, 1, 1, 1, List.of()), Await.value(seen));
        assertEquals(Await.value(seen), Await.end(actor));
    }

    @AllStrategies
    void theStopHookGetsTheInterrupt(ThreadStrategy strategy) {
        var seen = new CompletableFuture<ActorExit>();
        var gate = new Gate();
        var actor = actor(strategy).onStop(seen::complete).newActor((Integer n) -> gate.pass());
        actor.tell(1);
        gate.awaitReached();
        actor.tell(2);
        actor.stop(StopMode.INTERRUPT);
        assertEquals(ActorExit.Reason.INTERRUPTED, Await.value(seen).reason());
        assertEquals(1, Await.value(seen).discarded());
        assertFalse(Await.value(seen).stuckAt().isEmpty());
        assertEquals(Await.value(seen), Await.end(actor));
    }

    /** The only value that can still change. */
    @AllStrategies
    void anInterruptOfTheHookIsReportedInTheExitOnly(ThreadStrategy strategy) {
        var seen = new CompletableFuture<ActorExit>();
        var gate = new Gate();
        var actor = actor(strategy)
                .onStop(exit -> {
                    seen.complete(exit);
                    gate.pass();
                })
                .newSink(null);
        actor.stop();
        gate.awaitReached();
        actor.stop(StopMode.INTERRUPT);
        assertEquals(ActorExit.Reason.INTERRUPTED, Await.end(actor).reason());
        assertEquals(ActorExit.Reason.NORMAL, Await.value(seen).reason());
    }

    @AllStrategies
    void theStopHookRunsAfterTheLastMessage(ThreadStrategy strategy) {
        var seen = new CopyOnWriteArrayList<String>();
        var gate = new Gate();
        var actor = actor(strategy).onStop(exit -> seen.add("hook")).newActor((String message) -> {
            gate.pass();
            seen.add(message);
        });
        actor.tell("one");
        actor.tell("two");
        actor.stop();
        gate.open();
        Await.end(actor);
        assertEquals(List.of("one", "two", "hook"), seen);
    }

    @AllStrategies(direct = true)
    void theStopHookRunsWhenTheSystemCloses(ThreadStrategy strategy) {
        var runs = new AtomicInteger();
        actor(strategy).onStop(exit -> runs.incrementAndGet()).newSink(null);
        system.close();
        assertEquals(1, runs.get());
    }

    @AllStrategies
    void theStopRequestHookRunsOnceForEachModeOnTheStoppingThread(ThreadStrategy strategy) {
        var seen = new CopyOnWriteArrayList<StopMode>();
        var threads = new CopyOnWriteArrayList<Thread>();
        var gate = new Gate();
        var actor = actor(strategy)
                .onStopRequested(mode -> {
                    seen.add(mode);
                    threads.add(Thread.currentThread());
                })
                .newActor((Integer n) -> gate.pass());
        actor.tell(1);
        gate.awaitReached();
        for (StopMode mode : StopMode.values()) {
            actor.stop(mode);
            actor.stop(mode);
            actor.stop();
        }
        Await.end(actor);
        actor.stop(StopMode.INTERRUPT);
        assertEquals(List.of(StopMode.values()), seen);
        assertEquals(3, threads.stream().filter(Thread.currentThread()::equals).count());
    }

    @AllStrategies
    void theStopRequestHookCanReleaseAWaitingHandler(ThreadStrategy strategy) {
        var gate = new Gate();
        var actor = actor(strategy).onStopRequested(mode -> gate.open()).newActor((Integer n) -> gate.pass());
        actor.tell(1);
        gate.awaitReached();
        actor.close(Await.LIMIT);
        assertEquals(ActorExit.Reason.NORMAL, Await.end(actor).reason());
    }

    @AllStrategies(direct = true)
    void exceptionsOfHooksAreLoggedAndDoNotPreventTheEnd(ThreadStrategy strategy) {
        try (var log = new LogLines()) {
            var actor = system.actor("clerk")
                    .strategy(strategy)
                    .onStopRequested(mode -> {
                        throw new IllegalStateException("request hook");
                    })
                    .onStop(exit -> {
                        throw new StackOverflowError("hook");
                    })
                    .newSink(null);
            actor.stop();
            assertEquals(ActorExit.Reason.NORMAL, Await.end(actor).reason());
            assertEquals(1, log.with("ERROR", "clerk", "stop request hook").size(), log::text);
            assertEquals(1, log.with("ERROR", "clerk", "stop hook").size(), log::text);
        }
    }

    @AllStrategies
    void aStopHookThatWaitsIsInterruptedByAHarderStop(ThreadStrategy strategy) {
        var gate = new Gate();
        var actor = actor(strategy).onStop(exit -> gate.pass()).newSink(null);
        actor.stop();
        gate.awaitReached();
        actor.stop(StopMode.INTERRUPT);
        Await.end(actor);
        assertTrue(gate.wasInterrupted());
    }
}
