package io.fibry.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.ActorExit;
import io.fibry.ActorStoppedException;
import io.fibry.StopPhase;
import io.fibry.Supervision;
import io.fibry.dispatch.Dispatcher;
import io.fibry.dispatch.ScheduledActor;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Validate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * An actor without a hook, which a stop may end without a turn, and threads that add a message, a child, a resource, a
 * watcher or a future of its exit at that moment: each of them is refused, or has its effect.
 *
 * <p>Seen to fail: a stop that ends the actor without a look at its parts; one that looks at them before it has the
 * lock; one that does not refuse children and resources.
 */
@Tag("model-check")
final class EndHandOverTest {

    /** An actor with a default mailbox. */
    public static final class Plain extends HandOver {

        private final AtomicInteger handled = new AtomicInteger();
        private final AtomicInteger accepted = new AtomicInteger();
        private final AtomicInteger open = new AtomicInteger(); // resources
        private final AtomicInteger watching = new AtomicInteger();
        private final Queue<CompletableFuture<ActorExit>> exits = new ConcurrentLinkedQueue<>();
        private final Queue<ActorCell<Object>> children = new ConcurrentLinkedQueue<>();
        private final ActorCell<Object> actor = new ConsumerCell<>(kind, message -> handled.incrementAndGet());

        private final ActorKind kindOfChildren = new ActorKind(
                SYSTEM,
                new Dispatcher() {
                    @Override
                    public void ready(ScheduledActor child) {
                        // it never runs: its end is an operation of the check
                    }
                },
                Supervision.resume());

        /** For Lincheck. */
        public Plain() {}

        @Override
        ActorCell<?> actor() {
            return actor;
        }

        @Operation
        public void send() {
            try {
                actor.tell("");
                accepted.incrementAndGet();
            } catch (ActorStoppedException refused) {
                expect(actor.lifecycleMode() != null, "refused as stopped, and nobody has stopped it");
            }
        }

        @Operation
        public void exit() {
            exits.add(actor.exit());
        }

        @Operation
        public void watch() {
            watching.incrementAndGet();
            actor.lifecycle().watchers().add(exit -> watching.decrementAndGet());
        }

        @Operation
        public void tie() {
            open.incrementAndGet();
            actor.closeOnExit(open::decrementAndGet);
        }

        @Operation
        public void child() {
            var child = new ConsumerCell<Object>(kindOfChildren, message -> {});
            child.setLifecycle(new Lifecycle(null, actor, new ActorOptions(null, StopPhase.ACTORS, null, null, null)));
            try {
                actor.registry().add(child);
                children.add(child);
            } catch (ActorStoppedException refused) {
                expect(actor.lifecycleMode() != null, "refused as stopped, and nobody has stopped it");
            }
        }

        /** Checks the end: no thread is active any more. */
        @Validate
        public void nothingIsForgotten() {
            turn();
            for (ActorCell<Object> child : children) {
                assertFalse(actor.hasEnded(), "it ends after its children");
                if (actor.registry().removeChild(actor, child)) {
                    actor.ready();
                }
            }
            finish();
            assertEquals(accepted.get(), handled.get() + actor.lifecycle().discarded());
            if (actor.isClosed()) {
                assertTrue(exits.stream().allMatch(CompletableFuture::isDone));
                assertEquals(0, watching.get());
                assertEquals(0, open.get());
            }
        }
    }

    @Test
    void aFutureOfTheExitCompletes() {
        HandOver.check(Plain.class, "drain | exit exit", "exit | discard", "send turn > drain | exit");
    }

    @Test
    void aWatcherIsCalledOnce() {
        HandOver.check(Plain.class, "drain | watch watch", "watch | discard", "watch | drain | exit");
    }

    @Test
    void aResourceIsClosedOnce() {
        HandOver.check(Plain.class, "drain | tie tie", "tie | discard | exit");
    }

    @Test
    void aChildIsRefusedOrWaitedFor() {
        HandOver.check(Plain.class, "drain | child", "child | discard", "child | drain | exit");
    }

    @Test
    void aMessageIsRefusedOrHandled() {
        HandOver.check(Plain.class, "drain | send send", "send turn > discard | send", "send | drain | exit");
    }
}
