package io.fibry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.kernel.ActorStates;
import io.fibry.testing.AllStrategies;
import io.fibry.testing.Await;
import io.fibry.testing.CountingBehavior;
import io.fibry.testing.Gate;
import io.fibry.testing.KernelTest;
import io.fibry.testing.LogLines;
import java.time.Duration;
import java.util.List;

/** Failures that go to parents that are not supervisors: as if the parent's own behavior had thrown. */
class EscalationTest extends KernelTest {

    private final RuntimeException failure = new IllegalStateException("meant to fail");

    private final CountingBehavior ofParent = new CountingBehavior();
    private final CountingBehavior ofChild = new CountingBehavior();

    private ReplyActor<Object, Integer> parent(ThreadStrategy strategy, Supervision policy) {
        return ofParent.actor(actor(strategy).supervision(policy));
    }

    private ReplyActor<Object, Integer> childOf(Actor<?> parent, ThreadStrategy strategy, Supervision policy) {
        return ofChild.actor(actor(strategy).supervision(policy).childOf(parent));
    }

    @AllStrategies(direct = true)
    void anEscalatingChildEndsAsFailed(ThreadStrategy strategy) {
        var alone = counterWithout(strategy);
        var ask = alone.ask(failure);
        assertSame(failure, Await.failure(ask));
        assertSame(failure, Await.end(alone).cause());
    }

    private ReplyActor<Object, Integer> counterWithout(ThreadStrategy strategy) {
        return ofChild.actor(actor(strategy).supervision(Supervision.escalate()));
    }

    @AllStrategies(direct = true)
    void aResumingParentAndItsOtherChildrenContinue(ThreadStrategy strategy) {
        var parent = parent(strategy, Supervision.resume());
        var other = childOf(parent, strategy, Supervision.escalate());
        var child = childOf(parent, strategy, Supervision.escalate());
        assertEquals(1, Await.value(parent.ask("a")));
        child.tell(failure);
        assertSame(failure, Await.end(child).cause());
        assertEquals(2, Await.value(parent.ask("b")));
        assertEquals(1, Await.value(other.ask("c")));
    }

    @AllStrategies(direct = true)
    void aParentThatRestartsLosesItsStateAndItsOtherChildren(ThreadStrategy strategy) {
        var parent = parent(strategy, Supervision.restart());
        var other = childOf(parent, strategy, Supervision.resume());
        var child = childOf(parent, strategy, Supervision.escalate());
        assertEquals(1, Await.value(parent.ask("a")));
        child.tell(failure);
        assertSame(failure, Await.end(child).cause());
        assertTrue(Await.end(other).isNormal());
        assertEquals(1, Await.value(parent.ask("b")));
        assertEquals(List.of("begin 1", "1 a", "begin 2", "2 b"), ofParent.events);
    }

    @AllStrategies(direct = true)
    void aParentThatStopsFailsWithTheSameCause(ThreadStrategy strategy) {
        var parent = parent(strategy, Supervision.stop());
        var child = childOf(parent, strategy, Supervision.escalate());
        child.tell(failure);
        assertSame(failure, Await.end(parent).cause());
        assertSame(failure, Await.end(child).cause());
    }

    @AllStrategies(direct = true)
    void theParentsPolicyDependsOnTheTypeOfTheFailure(ThreadStrategy strategy) {
        var parent = parent(strategy, Supervision.stop().on(failure.getClass(), Supervision.resume()));
        var child = childOf(parent, strategy, Supervision.escalate());
        child.tell(failure);
        Await.end(child);
        assertEquals(1, Await.value(parent.ask("a")));
    }

    @AllStrategies(direct = true)
    void aFailureEscalatesUntilAParentHandlesIt(ThreadStrategy strategy) {
        var grandparent = parent(strategy, Supervision.restart());
        var parent = childOf(grandparent, strategy, Supervision.escalate());
        var child = childOf(parent, strategy, Supervision.escalate());
        assertEquals(1, Await.value(grandparent.ask("a")));
        child.tell(failure);
        assertSame(failure, Await.end(parent).cause());
        assertSame(failure, Await.end(child).cause());
        assertEquals(1, Await.value(grandparent.ask("b")));
        assertFalse(grandparent.exit().isDone());
    }

    @AllStrategies(direct = true)
    void oneFailureMoreThanTheLimitIsEscalated(ThreadStrategy strategy) {
        var parent = parent(strategy, Supervision.restart());
        Supervision policy = Supervision.restart().limit(1, Duration.ofDays(1));
        var child = childOf(parent, strategy, policy);
        Await.failure(child.ask(failure));
        assertEquals(1, Await.value(child.ask("a")));
        var last = new IllegalArgumentException("meant to fail");
        child.tell(last);
        assertSame(last, Await.end(child).cause());
        Await.until("the parent is restarted", () -> ofParent.made() == 2);
    }

    @AllStrategies(direct = true)
    void aParentWithABackoffPauses(ThreadStrategy strategy) {
        Duration aDay = Duration.ofDays(1);
        var parent = parent(strategy, Supervision.restart().backoff(aDay, aDay));
        var child = childOf(parent, strategy, Supervision.escalate());
        child.tell(failure);
        ActorStates.awaitPause(parent);
        assertSame(failure, Await.end(child).cause());
        var answer = parent.ask("a");
        parent.stop();
        assertEquals(1, Await.value(answer));
    }

    @AllStrategies(direct = true)
    void aFailureIsReportedOnceHoweverFarItGoes(ThreadStrategy strategy) {
        try (var log = new LogLines()) {
            var grandparent = parent(strategy, Supervision.stop());
            var parent = childOf(grandparent, strategy, Supervision.escalate());
            var child = childOf(parent, strategy, Supervision.escalate());
            child.tell(failure);
            Await.end(grandparent);
            assertEquals(1, log.with("ERROR").size(), log::text);
        }
    }

    @AllStrategies
    void anEndingParentIgnoresAFailure(ThreadStrategy strategy) {
        var gate = new Gate();
        var parent = parent(strategy, Supervision.stop());
        var child = childOf(parent, strategy, Supervision.escalate());
        child.tell(gate);
        child.tell(failure);
        gate.awaitReached();
        parent.stop();
        gate.open();
        assertSame(failure, Await.end(child).cause());
        assertTrue(Await.end(parent).isNormal());
    }

    @AllStrategies
    void anInterruptedChildIsNotAFailureOfItsParent(ThreadStrategy strategy) {
        var gate = new Gate();
        var parent = parent(strategy, Supervision.stop());
        var child = childOf(parent, strategy, Supervision.escalate());
        child.tell(gate);
        gate.awaitReached();
        child.stop(StopMode.INTERRUPT);
        assertEquals(ActorExit.Reason.INTERRUPTED, Await.end(child).reason());
        assertEquals(1, Await.value(parent.ask("a")));
    }
}
