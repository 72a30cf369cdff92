package io.fibry.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.fibry.Actor;
import io.fibry.ActorExit;
import io.fibry.StopMode;
import io.fibry.ThreadStrategy;
import io.fibry.testing.AllStrategies;
import io.fibry.testing.Await;
import io.fibry.testing.Gate;
import io.fibry.testing.InContext;
import io.fibry.testing.InContext.Code;
import io.fibry.testing.KernelTest;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Actors that end together. */
class LinkTest extends KernelTest {

    @AllStrategies(direct = true)
    void theEndOfEitherStopsTheOther(ThreadStrategy strategy) {
        for (boolean first : new boolean[] {true, false}) {
            var one = InContext.actor(actor(strategy));
            var other = actor(strategy).newSink(null);
            InContext.run(one, context -> context.link(other));
            (first ? one : other).stop();
            assertEquals(ActorExit.Reason.NORMAL, Await.end(one).reason());
            assertEquals(ActorExit.Reason.NORMAL, Await.end(other).reason());
        }
    }

    @AllStrategies
    void theOtherOneDrains(ThreadStrategy strategy) {
        var gate = new Gate();
        var one = InContext.actor(actor(strategy));
        var other = actor(strategy).newActorWithReturn((Integer n) -> {
            gate.pass();
            return n;
        });
        InContext.run(one, context -> context.link(other));
        var first = other.ask(1);
        gate.awaitReached();
        var second = other.ask(2);
        one.stop();
        ActorStates.awaitStopped(other, StopMode.DRAIN);
        gate.open();
        assertEquals(1, Await.value(first));
        assertEquals(2, Await.value(second));
        Await.end(other);
    }

    @AllStrategies(direct = true)
    void aFailurePropagatesWithItsCauseAlongAChain(ThreadStrategy strategy) {
        var failure = new IllegalStateException("thrown on purpose");
        List<Actor<Code>> chain = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            chain.add(InContext.actor(actor(strategy)));
        }
        for (int i = 1; i < 5; i++) {
            var before = chain.get(i - 1);
            InContext.run(chain.get(i), context -> context.link(before));
        }
        ActorCell.of(chain.get(2)).fail(failure);
        for (var actor : chain) {
            ActorExit exit = Await.end(actor);
            assertEquals(ActorExit.Reason.FAILED, exit.reason());
            assertSame(failure, exit.cause());
        }
    }

    @AllStrategies(direct = true)
    void aLinkToAnEndedActorStopsTheOtherAtOnce(ThreadStrategy strategy) {
        var other = actor(strategy).newSink(null);
        other.close();
        var one = InContext.actor(actor(strategy));
        one.tell(context -> context.link(other));
        assertEquals(ActorExit.Reason.NORMAL, Await.end(one).reason());
    }

    @AllStrategies(direct = true)
    void anEndedActorCannotBeLinked(ThreadStrategy strategy) {
        var other = actor(strategy).newActorWithReturn((Integer n) -> n);
        var one = InContext.actor(actor(strategy));
        var context = InContext.of(one);
        one.close();
        context.link(other);
        assertEquals(1, Await.value(other.ask(1)));
        assertEquals(0, watchersOf(other));
    }

    @AllStrategies(direct = true)
    void unlinkedActorsEndIndependently(ThreadStrategy strategy) {
        var one = InContext.actor(actor(strategy));
        var other = actor(strategy).newActorWithReturn((Integer n) -> n);
        InContext.run(one, context -> {
            context.link(other);
            context.link(other); // a duplicate has no effect
            assertEquals(1, watchersOf(one));
            assertEquals(1, watchersOf(other));
            context.unlink(other);
            context.unlink(other);
        });
        assertEquals(0, watchersOf(one));
        assertEquals(0, watchersOf(other));
        one.close();
        assertEquals(1, Await.value(other.ask(1)));
        assertFalse(other.exit().isDone());
    }

    @AllStrategies
    void anEndedActorLeavesNoLinkBehind(ThreadStrategy strategy) {
        var gate = new Gate();
        var survivor = InContext.actor(actor(strategy));
        survivor.tell(context -> gate.pass()); // stopped, but not ended
        gate.awaitReached();
        for (int i = 0; i < 100; i++) {
            var one = InContext.actor(actor(strategy));
            InContext.run(one, context -> context.link(survivor));
            one.stop();
            Await.until("the link is forgotten", () -> watchersOf(survivor) == 0);
        }
        gate.open();
        Await.end(survivor);
    }

    @Test
    void anActorIsNotLinkedToItself() {
        var one = InContext.actor(system.actor());
        InContext.run(one, context -> {
            assertThrows(IllegalArgumentException.class, () -> context.link(context.self()));
            assertThrows(NullPointerException.class, () -> context.link(null));
        });
    }

    private static int watchersOf(Actor<?> actor) {
        return ActorCell.of(actor).lifecycle().watchers().count();
    }
}
