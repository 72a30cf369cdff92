package io.fibry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.fibry.testing.AllStrategies;
import io.fibry.testing.Await;
import io.fibry.testing.Gate;
import io.fibry.testing.KernelTest;
import io.fibry.testing.LogLines;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

/** Actors that run one task and end. */
class RunOnceTest extends KernelTest {

    @AllStrategies(direct = true)
    void theTaskRunsOnceAndTheActorEndsNormally(ThreadStrategy strategy) {
        var runs = new AtomicInteger();
        var once = actor(strategy).runOnce(runs::incrementAndGet);
        assertEquals(ActorExit.Reason.NORMAL, Await.end(once).reason());
        assertEquals(1, runs.get());
    }

    @AllStrategies(direct = true)
    void anExceptionIsLoggedOnceAndIsTheCauseOfTheExit(ThreadStrategy strategy) {
        for (Throwable thrown : new Throwable[] {new IOException("broken"), new StackOverflowError("broken")}) {
            try (var log = new LogLines()) {
                var once = system.actor("clerk").strategy(strategy).runOnce(() -> sneak(thrown));
                ActorExit exit = Await.end(once);
                assertEquals(ActorExit.Reason.FAILED, exit.reason());
                assertSame(thrown, exit.cause());
                assertEquals(1, log.with("ERROR", "clerk").size(), log::text);
            }
        }
    }

    @AllStrategies
    void aRunOnceActorAcceptsNoMessages(ThreadStrategy strategy) {
        var gate = new Gate();
        var once = actor(strategy).runOnce(gate::pass);
        gate.awaitReached();
        assertThrows(ActorStoppedException.class, () -> once.execute(() -> {}));
        gate.open();
        Await.end(once);
        assertThrows(ActorStoppedException.class, () -> once.execute(() -> {}));
    }

    @AllStrategies
    void aStopLetsTheTaskFinish(ThreadStrategy strategy) {
        var gate = new Gate();
        var runs = new AtomicInteger();
        var once = actor(strategy).runOnce(() -> {
            gate.pass();
            runs.incrementAndGet();
        });
        gate.awaitReached();
        once.stop();
        once.stop(StopMode.DISCARD);
        gate.open();
        assertEquals(ActorExit.Reason.NORMAL, Await.end(once).reason());
        assertEquals(1, runs.get());
    }

    @AllStrategies
    void aStopCallsTheHookDuringTheTask(ThreadStrategy strategy) {
        var gate = new Gate();
        var told = new CompletableFuture<StopMode>();
        var once = actor(strategy).onStopRequested(told::complete).runOnce(gate::pass);
        gate.awaitReached();
        once.stop();
        assertEquals(StopMode.DRAIN, Await.value(told));
        gate.open();
        assertEquals(ActorExit.Reason.NORMAL, Await.end(once).reason());
    }

    @AllStrategies
    void anInterruptEndsTheActorAsInterruptedAlsoIfTheTaskThrows(ThreadStrategy strategy) {
        var gate = new Gate();
        var once = actor(strategy).runOnce(gate::pass);
        gate.awaitReached();
        once.stop(StopMode.INTERRUPT);
        assertEquals(ActorExit.Reason.INTERRUPTED, Await.end(once).reason());
    }

    private static void sneak(Throwable t) throws Exception {
        if (t instanceof Error error) {
            throw error;
        }
        throw (Exception) t;
    }

    @AllStrategies
    void aLimitForMailboxesDoesNotLetOneTakeMessages(ThreadStrategy strategy) {
        var gate = new Gate();
        var actor = actor(strategy).bounded(5, Overflow.FAIL).runOnce(gate::pass);
        gate.awaitReached();
        assertThrows(ActorStoppedException.class, () -> actor.execute(() -> {}));
        gate.open();
        Await.end(actor);
    }
}
