package io.fibry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.testing.Await;
import io.fibry.testing.NoLeftovers;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A system that also tracks actors that hold nothing, and keeps none of them alive.
 *
 * <p>Seen to fail: strong references; an actor that is listed twice because it has got a child.
 */
@ExtendWith(NoLeftovers.class)
@Timeout(60)
class TrackingTest {

    private final ActorSystem system =
            ActorSystem.create(SystemOptions.defaults().tracking(true));

    @AfterEach
    void closeSystem() {
        system.close();
    }

    @Test
    void idleActorsAreListedOnce() {
        List<Actor<?>> kept = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            kept.add(system.actor().newSink(null));
        }
        Actor<?> named = system.actor("named").newSink(null);
        Actor<?> parent = system.actor().newSink(null);
        Actor<?> child = system.actor().childOf(parent).newSink(null);
        SystemDump dump = system.dump();
        assertTrue(dump.tracked());
        assertEquals(1_003, dump.totals().actors());
        assertEquals(1_003, dump.totals().idle());
        assertFalse(dump.toString().contains("not counted"), dump::toString);
        assertEquals(1_003, system.actors().map(ActorInfo::id).count());
        child.close();
        parent.close();
        named.close();
        kept.forEach(Actor::close);
        assertEquals(0, system.dump().totals().actors());
    }

    @Test
    void trackingDoesNotRetainActors() {
        List<WeakReference<Actor<?>>> actors = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            actors.add(new WeakReference<>(system.actor().newSink(null)));
        }
        Await.until("the actors are collected", () -> {
            System.gc();
            return actors.stream().allMatch(reference -> reference.get() == null);
        });
        assertEquals(0, system.dump().totals().actors());
    }

    /** Ended actors are not retained until the end of the system. */
    @Test
    void slotsAreReused() {
        var keptOne = system.actor().newSink(null);
        for (int i = 0; i < 10_000; i++) {
            system.actor().newSink(null).stop();
        }
        Await.until("all have ended", () -> system.dump().totals().actors() == 1);
        keptOne.stop();
    }
}
