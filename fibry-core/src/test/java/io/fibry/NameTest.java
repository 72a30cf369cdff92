package io.fibry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.testing.AllStrategies;
import io.fibry.testing.Await;
import io.fibry.testing.Gate;
import io.fibry.testing.KernelTest;
import org.junit.jupiter.api.Test;

/** Names of actors. */
class NameTest extends KernelTest {

    @Test
    void anActorReturnsItsName() {
        var actor = system.actor("clerk").newSink(null);
        assertEquals("clerk", actor.name());
        assertTrue(actor.toString().contains("clerk"));
    }

    @Test
    void anAnonymousActorHasAGeneratedName() {
        var actor = system.actor().newSink(null);
        assertEquals(actor.name(), actor.name());
        assertNotEquals(actor.name(), system.actor().newSink(null).name());
    }

    @AllStrategies
    void aTakenNameIsRefusedWithoutAffectingItsOwner(ThreadStrategy strategy) {
        var first = system.actor("clerk").strategy(strategy).newActorWithReturn((Integer n) -> n + 1);
        var e = assertThrows(
                IllegalStateException.class,
                () -> system.actor("clerk").strategy(strategy).newSink(null));
        assertTrue(e.getMessage().contains("clerk") && e.getMessage().contains("taken"), e::getMessage);
        assertThrows(IllegalStateException.class, () -> system.actor("clerk").runOnce(() -> {}));
        assertEquals(2, Await.value(first.ask(1)));
    }

    @AllStrategies
    void aNameIsTakenUntilTheEndAndFreeAtTheMomentThatExitCompletes(ThreadStrategy strategy) {
        var gate = new Gate();
        var first = system.actor("clerk").strategy(strategy).newActor((Integer n) -> gate.pass());
        first.tell(1);
        gate.awaitReached();
        first.stop();
        assertThrows(IllegalStateException.class, () -> system.actor("clerk").newSink(null));
        var second = first.exit()
                .thenApply(exit -> system.actor("clerk").strategy(strategy).newSink(null));
        gate.open();
        assertEquals("clerk", Await.value(second).name());
    }

    @AllStrategies
    void aNameCanBeTakenAgainAndAgain(ThreadStrategy strategy) {
        for (int i = 0; i < 100; i++) {
            var actor = system.actor("clerk").strategy(strategy).newSink(null);
            actor.stop();
            actor.waitForExit();
        }
    }

    @Test
    void aNameIsFreeAfterAFailedCreation() {
        var parent = system.actor().newSink(null);
        parent.close();
        assertThrows(
                ActorStoppedException.class,
                () -> system.actor("clerk").childOf(parent).newSink(null));
        assertEquals("clerk", system.actor("clerk").newSink(null).name());
    }

    @Test
    void aBuilderWithANameMakesOneLivingActor() {
        var builder = system.actor("clerk");
        var actor = builder.newSink(null);
        assertThrows(IllegalStateException.class, () -> builder.newSink(null));
        actor.close();
        assertEquals("clerk", builder.newSink(null).name());
    }
}
