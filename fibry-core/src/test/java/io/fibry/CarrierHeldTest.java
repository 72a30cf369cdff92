package io.fibry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.testing.Await;
import io.fibry.testing.FlightTape;
import io.fibry.testing.Gate;
import io.fibry.testing.KernelTest;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import jdk.jfr.consumer.RecordedEvent;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * A handler that occupies its carrier thread is recorded, with its actor's name and its stack.
 *
 * <p>Seen to fail: without the check of the WorkerWatch, with a check of the outermost actor of a stack, and, for the
 * waiting actor, without a check of its thread.
 */
class CarrierHeldTest extends KernelTest {

    private static final Set<Thread.State> WAITING = Set.of(Thread.State.WAITING, Thread.State.TIMED_WAITING);

    private final FlightTape tape = new FlightTape();
    private final AtomicBoolean enough = new AtomicBoolean();

    @AfterEach
    void endRecording() {
        enough.set(true);
        tape.close();
    }

    private int hog(int n) {
        while (!enough.get()) {
            Thread.onSpinWait();
        }
        return n;
    }

    @Test
    void aHandlerThatDoesNotReturnIsRecordedAgainAndAgain() {
        system.actor("hog").newActor((Integer n) -> hog(n)).tell(1);
        Await.until("two events", () -> events("hog", "CarrierHeldTest.hog(").size() >= 2);
        enough.set(true);
        List<RecordedEvent> events = events("hog", "CarrierHeldTest.hog(");
        assertTrue(events.getFirst().getString("carrier").contains("worker"), events::toString);
        assertTrue(events.getFirst().getDuration().toMillis() >= 20);
        assertEquals(events.get(0).getStartTime(), events.get(1).getStartTime());
        assertTrue(events.get(1)
                        .getDuration()
                        .compareTo(events.get(0).getDuration().multipliedBy(2))
                >= 0);
    }

    /** It runs on the stack of an actor that waits for it. */
    @Test
    void aWaitingActorIsNotRecordedForTheActorItAsks() {
        var hog = system.actor("asked").newActorWithReturn((Integer n) -> hog(n));
        system.actor("waiting").newActor((Integer n) -> hog.call(n)).tell(1);
        Await.until("an event", () -> !events("asked").isEmpty());
        enough.set(true);
        assertEquals(List.of(), events("waiting", "CarrierHeldTest.hog("));
    }

    @Test
    void aWaitingHandlerOccupiesNoCarrier() {
        var gate = new Gate();
        var thread = new CompletableFuture<Thread>();
        system.actor("patient")
                .newActor((Integer n) -> {
                    thread.complete(Thread.currentThread());
                    gate.pass();
                })
                .tell(1);
        gate.awaitReached();
        Await.until("it waits", () -> WAITING.contains(Await.value(thread).getState()));
        system.actor("other").newActor((Integer n) -> hog(n)).tell(1);
        Await.until("an event", () -> !events("other").isEmpty());
        gate.open();
        assertEquals(List.of(), events("patient", "Gate.pass("));
    }

    /**
     * Returns the events with this method in the stack. Before an actor gets there, it does occupy a carrier thread,
     * for a long time on a busy machine.
     */
    private List<RecordedEvent> events(String actor, String method) {
        return events(actor).stream()
                .filter(event -> event.getString("handlerStack").contains(method))
                .toList();
    }

    private List<RecordedEvent> events(String actor) {
        try {
            return tape.events("CarrierHeld", actor);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
