package io.fibry;

import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

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

    /** The handle of an actor that has ended keeps neither its behavior, nor its state, nor its messages. */
    @Test
    void theStateOfAnEndedActorIsGarbage() {
        List<Actor<?>> handles = new ArrayList<>();
        List<WeakReference<Object>> states = new ArrayList<>();
        for (Kind kind : Kind.values()) {
            for (boolean withHook : new boolean[] {false, true}) { // with a hook, the actor ends in a turn of its own
                var state = new Object();
                var builder = withHook ? system.actor().onStop(exit -> {}) : system.actor();
                Actor<Object> actor = kind.start(builder, state);
                var message = new Object();
                actor.tell(message);
                actor.close();
                handles.add(actor);
                states.add(new WeakReference<>(state));
                states.add(new WeakReference<>(message));
            }
        }
        Await.until("the states are collected", () -> {
            System.gc();
            return states.stream().allMatch(reference -> reference.get() == null);
        });
        handles.forEach(handle -> assertTrue(handle.exit().isDone()));
    }

    private enum Kind {
        CONSUMER,
        FUNCTION,
        SINK,
        CONSUMER_WITH_CONTEXT,
        FUNCTION_WITH_CONTEXT,
        BECAME_ANOTHER;

        Actor<Object> start(ActorBuilder<Object> builder, Object state) {
            return switch (this) {
                case CONSUMER -> builder.newActor(message -> read(state));
                case FUNCTION -> builder.newActorWithReturn(message -> state);
                case SINK -> builder.newSink(state);
                case CONSUMER_WITH_CONTEXT -> builder.newActorFrom(context -> message -> read(state));
                case FUNCTION_WITH_CONTEXT -> builder.newActorWithReturnFrom(context -> message -> state);
                case BECAME_ANOTHER -> builder.newActorFrom(context -> message -> context.become(other -> read(state)));
            };
        }
    }

    private static void read(Object state) {
        assertNotNull(state);
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
