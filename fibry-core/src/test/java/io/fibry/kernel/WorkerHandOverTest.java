package io.fibry.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.Actor;
import io.fibry.testing.Rounds;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Validate;
import org.jetbrains.lincheck.datastructures.verifier.EpsilonVerifier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The hand-over between the workers and the threads that make actors ready, under the interleavings of small scenarios:
 * whenever an actor is ready, a spare is starting, or a running worker will check again. Workers run when the scenario
 * decides: a started spare waits in a queue until some thread of the scenario plays its part.
 *
 * <p>Seen to fail: a worker that releases the spare flag and does not check again; one that checks before it clears the
 * flag; a spare that drops the actor that it has found.
 */
@Tag("model-check")
public final class WorkerHandOverTest {

    private final Queue<Runnable> started = new ConcurrentLinkedQueue<>();
    private final AtomicInteger told = new AtomicInteger();
    private final AtomicInteger handled = new AtomicInteger();

    private final LocalSystem system = DetachedSystems.system(started::add);

    private final Actor<String> second = system.actor().newActor((String message) -> handled.incrementAndGet());
    private final Actor<String> third = system.actor().newActor((String message) -> handled.incrementAndGet());

    /** Makes one actor ready that waits in the queue of the worker, and one that is its next. */
    private final Actor<String> first = system.actor().newActor((String message) -> {
        handled.incrementAndGet();
        third.tell("from the first");
        second.tell("from the first");
        told.addAndGet(2);
    });

    @Operation
    public void tellFirst() {
        told.incrementAndGet();
        first.tell("from outside");
    }

    @Operation
    public void tellSecond() {
        told.incrementAndGet();
        second.tell("from outside");
    }

    @Operation
    public void work() {
        Runnable worker = started.poll();
        if (worker != null) {
            worker.run();
            Thread.currentThread().setUncaughtExceptionHandler(null); // this thread is no longer a worker
        }
    }

    @Validate
    public void noReadyActorIsMissed() {
        while (!started.isEmpty()) {
            work();
        }
        assertEquals(told.get(), handled.get());
        assertTrue(system.isQuiescent());
    }

    @Test
    void noReadyActorIsMissedUnderAnyInterleaving() {
        new ModelCheckingOptions()
                .threads(3)
                .actorsPerThread(2)
                .actorsBefore(0)
                .actorsAfter(0)
                .iterations(5)
                .invocationsPerIteration(Rounds.of(200, 400))
                .verifier(EpsilonVerifier.class)
                .check(WorkerHandOverTest.class);
    }
}
