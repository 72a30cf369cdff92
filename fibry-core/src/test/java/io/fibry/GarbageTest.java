package io.fibry;

import io.fibry.testing.Await;
import io.fibry.testing.KernelTest;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** An idle anonymous actor without references is garbage. */
class GarbageTest extends KernelTest {

    @Test
    void anIdleAnonymousActorIsGarbage() {
        List<WeakReference<Actor<?>>> actors = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            actors.add(new WeakReference<>(system.actor().newSink(null)));
            actors.add(new WeakReference<>(used()));
            actors.add(new WeakReference<>(ended()));
        }
        Await.until("the actors are collected", () -> {
            System.gc();
            return actors.stream().allMatch(reference -> reference.get() == null);
        });
    }

    @Test
    void aParentWhoseChildrenHaveEndedIsGarbage() {
        var parent = new WeakReference<Actor<?>>(childlessAgain());
        Await.until("the parent is collected", () -> {
            System.gc();
            return parent.get() == null;
        });
    }

    private Actor<?> used() {
        var actor = system.actor().newActorWithReturn((Integer n) -> n);
        Await.value(actor.ask(1));
        return actor;
    }

    private Actor<?> ended() {
        var actor = system.actor("clerk").newSink(null);
        actor.close();
        return actor;
    }

    private Actor<?> childlessAgain() {
        var parent = system.actor().newSink(null);
        system.actor().childOf(parent).newSink(null).close();
        return parent;
    }
}
