package io.fibry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.testing.AllStrategies;
import io.fibry.testing.Await;
import io.fibry.testing.Gate;
import io.fibry.testing.KernelTest;
import io.fibry.testing.LogLines;
import io.fibry.testing.UninterruptibleGate;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/**
 * A stop with a deadline takes the steps of a close without a waiting thread.
 *
 * <p>Seen to fail: a step that is left out; a first step that waits for a deadline of zero; an alarm that is not
 * cancelled at the end.
 */
class TimedStopTest extends KernelTest {

    private static final Duration SOON = Duration.ofMillis(1);

    @AllStrategies(direct = true)
    void acceptedMessagesAreHandledUntilTheDeadline(ThreadStrategy strategy) {
        var handled = new AtomicInteger();
        var actor = actor(strategy).newActor((Integer n) -> handled.incrementAndGet());
        for (int i = 0; i < 1_000; i++) {
            actor.tell(i);
        }
        CompletableFuture<ActorExit> stopped = actor.stop(Await.LIMIT);
        assertThrows(ActorStoppedException.class, () -> actor.tell(0));
        ActorExit exit = Await.value(stopped);
        assertEquals(1_000, handled.get());
        assertEquals(ActorExit.Reason.NORMAL, exit.reason());
        assertEquals(exit, Await.end(actor));
        assertTrue(actor.stop(Duration.ZERO).isDone());
    }

    @AllStrategies
    void afterTheDeadlineTheQueueIsDiscardedAndTheHandlerInterrupted(ThreadStrategy strategy) {
        for (Duration deadline : List.of(SOON, Duration.ZERO, Duration.ofNanos(1))) {
            var gate = new Gate();
            var actor = actor(strategy).newActorWithReturn((Integer n) -> {
                gate.pass();
                return n;
            });
            actor.tell(1);
            gate.awaitReached();
            var queued = actor.ask(2);
            CompletableFuture<ActorExit> stopped = actor.stop(deadline);
            assertInstanceOf(ActorStoppedException.class, Await.failure(queued));
            ActorExit exit = Await.value(stopped);
            assertTrue(gate.wasInterrupted());
            assertEquals(ActorExit.Reason.INTERRUPTED, exit.reason());
            assertEquals(1, exit.discarded());
        }
    }

    /** Only the deadline ends the handler, so the queue is discarded before the call returns. */
    @AllStrategies
    void aDeadlineOfZeroDiscardsAtOnce(ThreadStrategy strategy) {
        var gate = new Gate();
        var actor = actor(strategy).newActorWithReturn((Integer n) -> {
            gate.pass();
            return n;
        });
        actor.tell(1);
        gate.awaitReached();
        var queued = actor.ask(2);
        CompletableFuture<ActorExit> stopped = actor.stop(Duration.ZERO);
        assertTrue(queued.isCompletedExceptionally());
        gate.open();
        assertEquals(1, Await.value(stopped).discarded());
    }

    @AllStrategies
    void fromInsideAllStepsAreTakenWithoutAWait(ThreadStrategy strategy) {
        var gate = new Gate();
        var stopped = new CompletableFuture<CompletableFuture<ActorExit>>();
        Actor<Integer> actor = actor(strategy).newActorFrom(context -> n -> {
            stopped.complete(context.self().stop(SOON));
            gate.pass();
        });
        actor.tell(1);
        assertEquals(
                ActorExit.Reason.INTERRUPTED, Await.value(Await.value(stopped)).reason());
        assertTrue(gate.wasInterrupted());
    }

    @AllStrategies
    void childrenEndToo(ThreadStrategy strategy) {
        var gate = new Gate();
        var parent = actor(strategy).newSink(null);
        Actor<Integer> child = actor(strategy).childOf(parent).newActor((Integer n) -> gate.pass());
        child.tell(1);
        gate.awaitReached();
        child.tell(2);
        Await.value(parent.stop(SOON));
        assertEquals(ActorExit.Reason.INTERRUPTED, Await.end(child).reason());
        assertEquals(1, Await.end(child).discarded());
    }

    @AllStrategies
    void aHandlerThatIgnoresTheInterruptIsLogged(ThreadStrategy strategy) {
        try (var log = new LogLines()) {
            var uninterruptible = new UninterruptibleGate();
            var actor = actor(strategy).newActor((Integer n) -> uninterruptible.pass());
            actor.tell(1);
            uninterruptible.awaitReached();
            CompletableFuture<ActorExit> stopped = actor.stop(SOON);
            Await.until(
                    "it is told",
                    () -> !log.with(
                                    " " + actor.name() + " ",
                                    "does not end",
                                    "io.fibry.testing.UninterruptibleGate.pass")
                            .isEmpty());
            assertFalse(stopped.isDone());
            uninterruptible.open();
            assertEquals(ActorExit.Reason.INTERRUPTED, Await.value(stopped).reason());
            assertFalse(Await.value(stopped).stuckAt().isEmpty());
        }
    }

    @AllStrategies
    void theEarliestDeadlineHolds(ThreadStrategy strategy) {
        var gate = new Gate();
        var actor = actor(strategy).newActor((Integer n) -> gate.pass());
        actor.tell(1);
        gate.awaitReached();
        CompletableFuture<ActorExit> late = actor.stop(Duration.ofDays(1_000_000));
        CompletableFuture<ActorExit> early = actor.stop(SOON);
        assertEquals(Await.value(early), Await.value(late));
        assertTrue(gate.wasInterrupted());
    }

    @Test
    void cancellingTheFutureDoesNotCancelTheStop() {
        var gate = new Gate();
        var actor = system.actor().newActor((Integer n) -> gate.pass());
        actor.tell(1);
        gate.awaitReached();
        actor.stop(SOON).cancel(true);
        assertEquals(ActorExit.Reason.INTERRUPTED, Await.end(actor).reason());
    }

    @Test
    void anActorThatHasEndedLeavesNoAlarm() {
        var ended = new WeakReference<Actor<?>>(stoppedWithMuchTime());
        Await.until("the actor is collected", () -> {
            System.gc();
            return ended.get() == null;
        });
    }

    private Actor<?> stoppedWithMuchTime() {
        var gate = new Gate();
        var actor = system.actor().newActor((Integer n) -> gate.pass());
        actor.tell(1);
        gate.awaitReached();
        CompletableFuture<ActorExit> stopped = actor.stop(Duration.ofDays(1));
        gate.open();
        assertEquals(ActorExit.Reason.NORMAL, Await.value(stopped).reason());
        return actor;
    }

    // ---- other handles

    @Test
    void aHandleStopsTheActorBehindIt() {
        var gate = new Gate();
        Actor<Integer> actor = system.actor().newActor((Integer n) -> gate.pass());
        var handle = new ForwardingActor<>(actor) {};
        handle.tell(1);
        gate.awaitReached();
        assertEquals(
                ActorExit.Reason.INTERRUPTED, Await.value(handle.stop(SOON)).reason());
    }

    @Test
    void anAddressWithoutActorEndsAtOnce() {
        Actor<Integer> address = system.findOrExpect("clerk", 1);
        address.tell(1);
        assertThrows(NullPointerException.class, () -> address.stop((Duration) null));
        assertEquals(1, Await.value(address.stop(Duration.ofDays(1))).discarded());
        assertTrue(address.stop(SOON).isDone());
    }

    /** The deadline starts before an actor exists. It may also expire earlier, and then the message is discarded. */
    @Test
    void anAddressStopsTheActorThatIsStarting() {
        var gate = new Gate();
        Actor<Integer> address = system.findOrExpect("clerk", 1);
        address.tell(1);
        var stopped = new CompletableFuture<CompletableFuture<ActorExit>>();
        Actor<Integer> actor = system.actor("clerk")
                .strategy(ThreadStrategy.platform(thread -> {
                    stopped.complete(address.stop(SOON));
                    return thread;
                }))
                .newActor((Integer n) -> gate.pass());
        ActorExit exit = Await.value(Await.value(stopped));
        assertEquals(1, exit.handled() + exit.discarded());
        assertEquals(gate.wasInterrupted() ? 1 : 0, exit.handled());
        assertEquals(exit, Await.end(actor));
        assertEquals(exit, Await.value(address.stop(SOON)));
    }
}
