package io.fibry.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.Actor;
import io.fibry.ActorExit;
import io.fibry.Overflow;
import io.fibry.StopMode;
import io.fibry.Supervision;
import io.fibry.ThreadStrategy;
import io.fibry.testing.AllStrategies;
import io.fibry.testing.Await;
import io.fibry.testing.Gate;
import io.fibry.testing.KernelTest;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** The values in {@link ActorExit} about the messages, and about a stuck handler. */
class ExitCountsTest extends KernelTest {

    @AllStrategies(direct = true)
    void handledCountsAllMessagesAndFailedTheFailedOnes(ThreadStrategy strategy) {
        var actor = actor(strategy).newActorWithReturn((Integer n) -> 1 / n);
        for (int i = 0; i < 100; i++) {
            var reply = actor.ask(i % 10);
            assertEquals(i % 10 == 0, Await.value(reply.handle((value, failure) -> failure != null)));
        }
        actor.execute(() -> {});
        assertExit(actor, ActorExit.Reason.NORMAL, 101, 10, 0);
    }

    @AllStrategies
    void discardedCountsTheRemainingMessages(ThreadStrategy strategy) {
        var gate = new Gate();
        var actor = actor(strategy).bounded(1_000, Overflow.FAIL).newActorWithReturn((Integer n) -> {
            gate.pass();
            return n;
        });
        List<CompletableFuture<Integer>> asks = new ArrayList<>();
        asks.add(actor.ask(0));
        gate.awaitReached();
        for (int i = 0; i < 100; i++) {
            actor.tell(i);
            asks.add(actor.ask(i));
        }
        actor.stop(StopMode.DISCARD);
        gate.open();
        Await.end(actor);
        assertExit(actor, ActorExit.Reason.NORMAL, 1, 0, 200);
        assertTrue(asks.stream().allMatch(CompletableFuture::isDone));
    }

    @AllStrategies
    void cancelledAsksAreNotCounted(ThreadStrategy strategy) {
        var gate = new Gate();
        var actor = actor(strategy).newActorWithReturn((Integer n) -> {
            gate.pass();
            return n;
        });
        actor.tell(0);
        gate.awaitReached();
        for (int i = 0; i < 10; i++) {
            actor.ask(i).cancel(false);
        }
        gate.open();
        assertExit(actor, ActorExit.Reason.NORMAL, 1, 0, 0);
    }

    @AllStrategies
    void anInterruptReportsTheStackOfTheHandler(ThreadStrategy strategy) {
        var gate = new Gate();
        var actor = actor(strategy).newActor((Integer n) -> gate.pass());
        actor.tell(1);
        gate.awaitReached();
        actor.stop(StopMode.INTERRUPT);
        assertExit(actor, ActorExit.Reason.INTERRUPTED, 1, 1, 0);
        var stuckAt = Await.end(actor).stuckAt();
        assertTrue(
                stuckAt.stream()
                        .anyMatch(frame -> frame.getClassName().equals(Gate.class.getName())
                                && frame.getMethodName().equals("pass")),
                stuckAt::toString);
        assertThrows(UnsupportedOperationException.class, stuckAt::clear);
    }

    @AllStrategies(direct = true)
    void withoutARunningHandlerThereIsNoStuckStack(ThreadStrategy strategy) {
        for (StopMode mode : StopMode.values()) {
            var actor = actor(strategy).newActorWithReturn((Integer n) -> n);
            Await.value(actor.ask(1));
            Await.until("it is idle", ActorCell.of(actor)::isIdle);
            actor.stop(mode);
            assertEquals(List.of(), Await.end(actor).stuckAt());
        }
    }

    @AllStrategies
    void aStopWithoutAnInterruptReportsNoStack(ThreadStrategy strategy) {
        var gate = new Gate();
        var actor = actor(strategy).newActor((Integer n) -> gate.pass());
        actor.tell(1);
        gate.awaitReached();
        actor.stop(StopMode.DISCARD);
        gate.open();
        assertEquals(List.of(), Await.end(actor).stuckAt());
        assertExit(actor, ActorExit.Reason.NORMAL, 1, 0, 0);
    }

    @AllStrategies(direct = true)
    void aFailedActorCountsToo(ThreadStrategy strategy) {
        var actor = actor(strategy).supervision(Supervision.stop()).newActorWithReturn((Integer n) -> 1 / n);
        Await.value(actor.ask(1));
        Await.failure(actor.ask(0));
        assertExit(actor, ActorExit.Reason.FAILED, 2, 1, 0);
    }

    @Test
    void aTaskThatRunsOnceIsOneMessage() {
        assertExit(system.actor().runOnce(() -> {}), ActorExit.Reason.NORMAL, 1, 0, 0);
    }

    private static void assertExit(Actor<?> actor, ActorExit.Reason reason, long handled, long failed, long discarded) {
        actor.stop();
        ActorExit exit = Await.end(actor);
        assertEquals(reason, exit.reason());
        assertEquals(handled, exit.handled(), "handled");
        assertEquals(failed, exit.failed(), "failed");
        assertEquals(discarded, exit.discarded(), "discarded");
    }
}
