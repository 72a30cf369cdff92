package io.fibry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.testing.AllStrategies;
import io.fibry.testing.Await;
import io.fibry.testing.KernelTest;
import io.fibry.testing.LogLines;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** The labels of actors without a name. */
class LabelTest extends KernelTest {

    @AllStrategies
    void logsCallAnActorByItsLabel(ThreadStrategy strategy) {
        try (var log = new LogLines()) {
            var actor = system.actor().strategy(strategy).label("shop, till 3").runOnce(() -> {
                throw new IllegalStateException("on purpose");
            });
            actor.waitForExit();
            assertEquals("shop, till 3", actor.name());
            assertEquals(
                    1, log.with("Actor shop, till 3 failed to handle a message").size(), log.text());
        }
    }

    @Test
    void exceptionsContainTheLabel() {
        var actor = system.actor().label("till 3").newSink(null);
        actor.close();
        var e = assertThrows(ActorStoppedException.class, () -> actor.execute(state -> {}));
        assertEquals("actor till 3 has been stopped", e.getMessage());
    }

    @Test
    void aLabelIsEvaluatedOnDemand() {
        var asked = new AtomicInteger();
        var actor = system.actor()
                .label(new Object() {
                    @Override
                    public String toString() {
                        return "asked " + asked.incrementAndGet();
                    }
                })
                .newActorWithReturn((Integer n) -> n + 1);
        assertEquals(2, Await.value(actor.ask(1)));
        assertEquals(0, asked.get());
        assertEquals("asked 1", actor.name());
        assertEquals("asked 2", actor.toString());
    }

    @Test
    void severalActorsCanHaveTheSameLabelAndNoneIsFoundByIt() {
        var builder = system.actor().label("till");
        assertEquals(builder.newSink(null).name(), builder.newSink(null).name());
        assertTrue(system.find("till").isEmpty());
    }

    @Test
    void aNamePrecedesALabel() {
        assertEquals("clerk", system.actor("clerk").label("till").newSink(null).name());
    }

    @Test
    void aThrowingLabelIsIgnored() {
        var actor = system.actor()
                .label(new Object() {
                    @Override
                    public String toString() {
                        throw new IllegalStateException("on purpose");
                    }
                })
                .newSink(null);
        assertTrue(actor.name().startsWith("actor-"), actor.name());
    }
}
