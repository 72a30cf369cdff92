package io.fibry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.testing.AllStrategies;
import io.fibry.testing.LogLines;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** The hooks around an actor's end. */
class StopHookTest extends KernelTest {

    @AllStrategies(direct = true)
    void theStopHookRunsOnceHoweverTheActorIsStopped(ThreadStrategy strategy) {
        for (StopMode mode : StopMode.values()) {
            var runs = new AtomicInteger();
            var actor = actor(strategy).onStop(runs::incrementAndGet).newSink(null);
            var atExit = actor.exit().thenApply(exit -> runs.get());
            actor.stop(mode);
            actor.stop(StopMode.INTERRUPT);
            assertEquals(1, Await.value(atExit));
        }
    }

    @AllStrategies(direct = true)
    void theStopHookRunsAfterAFailureAndAfterATask(ThreadStrategy strategy) {
        var runs = new AtomicInteger();
        Await.end(actor(strategy).onStop(runs::incrementAndGet).runOnce(() -> {}));
        assertEquals(1, runs.get());
        Await.end(actor(strategy).onStop(runs::incrementAndGet).runOnce(() -> {
            throw new IOException("thrown on purpose");
        }));
        assertEquals(2, runs.get());
        var failing = actor(strategy)
                .onStop(runs::incrementAndGet)
                .supervision(Supervision.stop())
                .newActor((Integer n) -> {
                    throw new IllegalStateException("thrown on purpose");
                });
        failing.tell(1);
        Await.end(failing);
        assertEquals(3, runs.get());
    }

    @AllStrategies
    void theStopHookRunsAfterTheLastMessage(ThreadStrategy strategy) {
        var seen = new CopyOnWriteArrayList<String>();
        var gate = new Gate();
        var actor = actor(strategy).onStop(() -> seen.add("hook")).newActor((String message) -> {
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
        actor(strategy).onStop(runs::incrementAndGet).newSink(null);
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
    void theStopRequestHookFreesAHandlerThatWaitsElsewhere(ThreadStrategy strategy) {
        var gate = new Gate();
        var actor = actor(strategy).onStopRequested(mode -> gate.open()).newActor((Integer n) -> gate.pass());
        actor.tell(1);
        gate.awaitReached();
        actor.close(Await.LIMIT);
        assertEquals(ActorExit.Reason.NORMAL, Await.end(actor).reason());
    }

    @AllStrategies(direct = true)
    void exceptionsOfHooksAreLoggedAndDoNotKeepTheActorFromEnding(ThreadStrategy strategy) {
        try (var log = new LogLines()) {
            var actor = system.actor("clerk")
                    .strategy(strategy)
                    .onStopRequested(mode -> {
                        throw new IllegalStateException("request hook");
                    })
                    .onStop(() -> {
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
        var actor = actor(strategy).onStop(gate::pass).newSink(null);
        actor.stop();
        gate.awaitReached();
        actor.stop(StopMode.INTERRUPT);
        Await.end(actor);
        assertTrue(gate.wasInterrupted());
    }
}
