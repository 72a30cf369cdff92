package io.fibry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.testing.AllStrategies;
import io.fibry.testing.Await;
import io.fibry.testing.Gate;
import io.fibry.testing.KernelTest;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/** {@code close} of an actor: an orderly stop that waits and escalates. */
class CloseTest extends KernelTest {

    @AllStrategies(direct = true)
    void closeReturnsWhenAcceptedMessagesHaveBeenHandled(ThreadStrategy strategy) {
        var handled = new AtomicInteger();
        try (var actor = actor(strategy).newActor((Integer n) -> handled.incrementAndGet())) {
            for (int i = 0; i < 1_000; i++) {
                actor.tell(i);
            }
        }
        assertEquals(1_000, handled.get());
    }

    @AllStrategies(direct = true)
    void closeAfterTheEndReturns(ThreadStrategy strategy) {
        var actor = actor(strategy).newSink(null);
        assertTrue(actor.close(Await.LIMIT));
        assertTrue(actor.close(Duration.ZERO));
        actor.close();
        assertEquals(ActorExit.Reason.NORMAL, Await.end(actor).reason());
    }

    @AllStrategies
    void afterTheDeadlineTheQueueIsDiscardedAndTheHandlerInterrupted(ThreadStrategy strategy) {
        var gate = new Gate();
        ReplyActor<Integer, Integer> actor = actor(strategy).newActorWithReturn((Integer n) -> {
            gate.pass();
            return n;
        });
        actor.tell(1);
        gate.awaitReached();
        var queued = actor.ask(2);
        boolean unused = actor.close(Duration.ofMillis(10)); // forces the stop
        assertTrue(actor.close(Await.LIMIT));
        assertTrue(gate.wasInterrupted());
        assertTrue(actor.exit().isDone());
        assertEquals(ActorExit.Reason.INTERRUPTED, Await.end(actor).reason());
        assertInstanceOf(ActorStoppedException.class, Await.failure(queued));
    }

    @AllStrategies
    void aHandlerThatWaitsForeverIsInterrupted(ThreadStrategy strategy) {
        var gate = new Gate();
        var actor = actor(strategy).runOnce(gate::pass);
        gate.awaitReached();
        boolean unused = actor.close(Duration.ZERO); // forces the stop
        assertTrue(actor.close(Await.LIMIT));
        assertTrue(gate.wasInterrupted());
        assertTrue(actor.exit().isDone());
    }

    /** After the interrupt, the handler has one second to finish. */
    @AllStrategies
    void closeWaitsForTheCleanupOfAnInterruptedHandler(ThreadStrategy strategy) {
        var interrupted = new Gate();
        var finished = new AtomicInteger();
        var actor = actor(strategy).newActor((Integer n) -> {
            try {
                interrupted.pass();
            } catch (ActorInterruptedException e) {
                finished.incrementAndGet();
            }
        });
        actor.tell(1);
        interrupted.awaitReached();
        boolean unused = actor.close(Duration.ZERO); // forces the stop
        assertTrue(actor.close(Await.LIMIT));
        assertEquals(1, finished.get());
    }

    @AllStrategies
    void anInterruptOfTheCloserInterruptsTheHandlerAtOnceAndIsSetAgain(ThreadStrategy strategy) {
        var gate = new Gate();
        var actor = actor(strategy).newActor((Integer n) -> gate.pass());
        actor.tell(1);
        gate.awaitReached();
        var stillInterrupted = new CompletableFuture<Boolean>();
        var closer = Thread.ofPlatform().start(() -> {
            actor.close(Duration.ofDays(1));
            stillInterrupted.complete(
                    Thread.currentThread().isInterrupted() && actor.exit().isDone());
        });
        closer.interrupt(); // before or while it waits
        assertTrue(Await.value(stillInterrupted));
        assertTrue(gate.wasInterrupted());
        assertEquals(ActorExit.Reason.INTERRUPTED, Await.end(actor).reason());
    }

    @AllStrategies(direct = true)
    void closeFromInsideStopsAndDoesNotWait(ThreadStrategy strategy) {
        var handled = new AtomicInteger();
        var ended = new CompletableFuture<Boolean>();
        Actor<Integer> actor = actor(strategy).newActorFrom(context -> n -> {
            if (n == 0) {
                context.self().tell(1);
                ended.complete(context.self().close(Duration.ofDays(1)));
            }
            handled.incrementAndGet();
        });
        actor.tell(0);
        assertFalse(Await.value(ended));
        assertEquals(ActorExit.Reason.NORMAL, Await.end(actor).reason());
        assertEquals(2, handled.get());
    }

    @AllStrategies(direct = true)
    void closeFromInsideAStopHookOrAResourceDoesNotWait(ThreadStrategy strategy) {
        var self = new CompletableFuture<Actor<Object>>();
        var closed = new AtomicInteger();
        Runnable close = () -> {
            Await.value(self).close();
            closed.incrementAndGet();
        };
        Actor<Object> actor =
                actor(strategy).onStop(exit -> close.run()).newSink(null).closeOnExit(close::run);
        self.complete(actor);
        actor.stop();
        Await.end(actor);
        assertEquals(2, closed.get());
    }

    /** Its handler runs on the thread of another actor, inside that one's handler. */
    @AllStrategies(direct = true)
    void closeFromInsideAnActorThatRunsInItsSenderDoesNotWait(ThreadStrategy strategy) {
        var direct = ThreadStrategy.pool(Runnable::run);
        var outer = new CompletableFuture<Actor<Integer>>();
        ReplyActor<Integer, Boolean> inner = actor(direct).newActorWithReturnFrom(context -> n -> {
            context.self().close(Duration.ofDays(1));
            Await.value(outer).close(Duration.ofDays(1));
            return true;
        });
        ReplyActor<Integer, Boolean> sender =
                actor(strategy).newActorWithReturn((Integer n) -> Await.value(inner.ask(n)));
        outer.complete(sender);
        var reply = new CompletableFuture<Boolean>();
        var asker = Thread.ofPlatform().daemon().start(() -> reply.complete(Await.value(sender.ask(1))));
        try {
            assertTrue(Await.value(reply));
        } finally {
            asker.interrupt();
        }
        Await.end(inner);
        Await.end(sender);
    }

    @AllStrategies
    void aHandlerClosesAnotherActor(ThreadStrategy strategy) {
        var handled = new AtomicInteger();
        var other = actor(strategy).newActor((Integer n) -> handled.incrementAndGet());
        var closer = actor(strategy).newActorWithReturn((Integer n) -> {
            for (int i = 0; i < n; i++) {
                other.tell(i);
            }
            other.close();
            return handled.get();
        });
        assertEquals(100, Await.value(closer.ask(100)));
    }

    @AllStrategies
    void manyThreadsCloseAtTheSameTime(ThreadStrategy strategy) {
        var gate = new Gate();
        var actor = actor(strategy).newActor((Integer n) -> gate.pass());
        actor.tell(1);
        gate.awaitReached();
        var closers = Stream.generate(() -> Thread.ofPlatform().start(actor::close))
                .limit(5)
                .toList();
        closers.forEach(Await::untilBlocked);
        gate.open();
        closers.forEach(Await::thread);
        assertEquals(ActorExit.Reason.NORMAL, Await.end(actor).reason());
    }
}
