package io.fibry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import io.fibry.kernel.ActorStates;
import io.fibry.testing.AllStrategies;
import io.fibry.testing.Await;
import io.fibry.testing.CountingBehavior;
import io.fibry.testing.Gate;
import io.fibry.testing.KernelTest;
import io.fibry.testing.UninterruptibleGate;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * A stop that discards fails the waiting asks at once, also while the actor has no turn and waits for another actor.
 */
class AskWithoutTurnTest extends KernelTest {

    @AllStrategies
    void theFirstOfThemToo(ThreadStrategy strategy) {
        var begin = new Gate();
        var gate = new UninterruptibleGate();
        var counting = new CountingBehavior();
        var actor = counting.actor(actor(strategy).supervision(Supervision.restart()));
        Actor<Integer> child = actor(strategy).childOf(actor).newActor((Integer n) -> gate.pass());
        child.tell(1);
        gate.awaitReached();
        actor.tell(begin);
        begin.awaitReached();
        var failing = actor.ask(new IllegalStateException("meant to fail"));
        List<CompletableFuture<Integer>> waiting = List.of(actor.ask("a"), actor.ask("b"));
        begin.open();
        Await.failure(failing);
        ActorStates.awaitStopped(child, StopMode.DISCARD);
        actor.stop(StopMode.DISCARD);
        for (var ask : waiting) {
            assertInstanceOf(ActorStoppedException.class, Await.failure(ask));
        }
        assertEquals(false, actor.exit().isDone());
        gate.open();
        assertEquals(2, Await.end(actor).discarded());
    }
}
