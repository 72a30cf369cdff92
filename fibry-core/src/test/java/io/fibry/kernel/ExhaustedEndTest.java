package io.fibry.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.ActorExit;
import io.fibry.StopMode;
import io.fibry.Supervision;
import io.fibry.ThreadStrategy;
import io.fibry.testing.AllStrategies;
import io.fibry.testing.Await;
import io.fibry.testing.KernelTest;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** The end of an actor with children while memory is exhausted. */
class ExhaustedEndTest extends KernelTest {

    /** Runs out of memory when it stops its children for the first time. */
    private static final class Parent extends ActorCell<Integer> {

        final AtomicInteger attempts = new AtomicInteger();

        Parent(ActorKind kind) {
            super(kind);
        }

        @Override
        void receive(Integer message) {}

        @Override
        Class<?> behaviorType() {
            return Parent.class;
        }

        @Override
        void releaseBehavior() {}

        @Override
        void stopChildren(List<ActorState<?>> children, StopMode mode) {
            if (attempts.getAndIncrement() == 0) {
                throw new OutOfMemoryError("on purpose");
            }
            super.stopChildren(children, mode);
        }
    }

    @AllStrategies
    void theChildrenAreStoppedIfTheFirstAttemptRunsOutOfMemory(ThreadStrategy strategy) {
        var local = (LocalSystem) system;
        var parent = new Parent(local.kind(strategy, Supervision.resume()));
        parent.setLifecycle(new Lifecycle("parent", null, ActorOptions.NONE));
        local.start(parent);
        var child = system.actor().childOf(parent).newActor((Integer n) -> {});
        parent.stop();
        assertTrue(child.waitForExit(Await.LIMIT));
        assertEquals(ActorExit.Reason.NORMAL, Await.end(parent).reason());
        assertEquals(2, parent.attempts.get());
    }
}
