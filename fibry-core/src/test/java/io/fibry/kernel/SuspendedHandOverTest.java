package io.fibry.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.ActorStoppedException;
import io.fibry.StopMode;
import io.fibry.dispatch.SuspendedHandler;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Validate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The hand-over of a suspended handler between turns, threads that add steps, and stoppers: each step runs, in a turn;
 * an interrupt reaches the handler; the message ends once; a stopped actor ends with it.
 *
 * <p>Seen to fail: a turn that parks without a second look for steps, or for an interrupt; one that drops an interrupt
 * between its last step and the park.
 */
@Tag("model-check")
final class SuspendedHandOverTest {

    /** A handler of the first message, which is suspended until {@link #complete}. */
    public static final class Suspended extends HandOver {

        private final AtomicInteger added = new AtomicInteger();
        private final AtomicInteger inTurn = new AtomicInteger();
        private volatile boolean complete;
        private volatile SuspendedHandler.@Nullable Resumption resumption;

        // By the consumer.
        private int run;
        private int interrupts;
        private int results;
        private int begun;

        private final SuspendedHandler handler = new SuspendedHandler() {
            @Override
            public void suspended(Resumption itsResumption) {
                resumption = itsResumption;
            }

            @Override
            public void runSteps() {
                expect(inTurn.incrementAndGet() == 1, "two threads run steps");
                run = added.get();
                inTurn.decrementAndGet();
            }

            @Override
            public boolean hasWork() {
                return run != added.get() || complete;
            }

            @Override
            public boolean isComplete() {
                return complete;
            }

            @Override
            public @Nullable Object result() {
                results++;
                return null;
            }

            @Override
            public void interrupted() {
                interrupts++;
            }

            @Override
            public @Nullable CompletableFuture<?> awaited() {
                return null;
            }
        };

        private final ActorCell<String> actor = new ConsumerCell<>(kind, message -> suspend());

        /** For Lincheck. */
        public Suspended() {
            actor.setLifecycle(new Lifecycle(null, null, ActorOptions.NONE));
        }

        private void suspend() {
            expect(results == begun, "a message begins while another is suspended");
            begun++;
            actor.suspend(handler);
        }

        @Override
        ActorCell<?> actor() {
            return actor;
        }

        @Operation
        public void begin() {
            try {
                actor.tell("message");
            } catch (ActorStoppedException e) {
                expect(actor.lifecycleMode() != null, "refused as stopped, and nobody has stopped it");
            }
        }

        @Operation
        public void step() {
            added.incrementAndGet();
            wakeUp();
        }

        @Operation
        public void complete() {
            complete = true;
            wakeUp();
        }

        @Operation
        public void interrupt() {
            actor.stop(StopMode.INTERRUPT);
        }

        private void wakeUp() {
            SuspendedHandler.Resumption r = resumption;
            if (r != null) {
                r.wakeUp();
            }
        }

        @Validate
        public void everyStepHasRun() {
            turn(); // what was added before needs no other wake-up
            if (begun > results) {
                assertEquals(added.get(), run);
            }
            if (actor.lifecycleMode() == StopMode.INTERRUPT && begun > results) {
                assertEquals(1, interrupts);
            }
            complete();
            finish();
            assertEquals(begun, results);
            assertEquals(begun, actor.handled());
            assertTrue(interrupts <= 1, "more than one interrupt");
        }
    }

    @Test
    void aStepAndTheEndOfATurn() {
        HandOver.check(
                Suspended.class, "begin > turn | step", "begin > turn turn | step step", "begin > turn | step | step");
    }

    @Test
    void theEndOfAHandler() {
        HandOver.check(
                Suspended.class,
                "begin > turn | complete",
                "begin > turn turn | step complete",
                "begin > turn | begin complete");
    }

    @Test
    void aStopOfASuspendedActor() {
        HandOver.check(
                Suspended.class,
                "begin > turn | interrupt",
                "begin turn > step | interrupt | turn",
                "begin turn > complete | interrupt | turn",
                "begin turn > drain | complete turn",
                "begin turn > discard complete | turn");
    }
}
