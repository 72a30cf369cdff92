package io.fibry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.testing.Await;
import io.fibry.testing.Gate;
import io.fibry.testing.KernelTest;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Actors on a user's executor. */
class PoolStrategyTest extends KernelTest {

    @Test
    void aRejectingExecutorEndsTheActorAsFailed() {
        var rejection = new RejectedExecutionException("no room");
        var ends = new AtomicInteger();
        ReplyActor<Integer, Integer> actor =
                actor(failing(rejection)).onStop(exit -> ends.incrementAndGet()).newActorWithReturn((Integer n) -> n);
        var reply = actor.ask(1);
        assertTrue(reply.isDone(), "at once");
        Throwable failure = Await.failure(reply);
        assertInstanceOf(ActorStoppedException.class, failure);
        assertSame(rejection, failure.getCause());
        ActorExit exit = Await.end(actor);
        assertEquals(ActorExit.Reason.FAILED, exit.reason());
        assertSame(rejection, exit.cause());
        assertEquals(1, ends.get());
        assertThrows(ActorStoppedException.class, () -> actor.tell(2));
    }

    @Test
    void anExecutorThatFailsOtherwiseEndsTheActorToo() {
        for (Throwable thrown :
                new Throwable[] {new IllegalStateException("broken"), new OutOfMemoryError("a test's")}) {
            var other = ActorSystem.create(failing(thrown));
            ReplyActor<Integer, Integer> actor = other.actor().newActorWithReturn((Integer n) -> n);
            var reply = new CompletableFuture<Integer>();
            try {
                reply = actor.ask(1);
            } catch (IllegalStateException | OutOfMemoryError e) {
                reply.completeExceptionally(e); // the asker may get this failure too
            }
            assertTrue(reply.isCompletedExceptionally());
            assertEquals(ActorExit.Reason.FAILED, Await.end(actor).reason());
            other.close(Duration.ZERO);
        }
    }

    @Test
    void aTaskThatIsRejectedEndsAsFailed() {
        var rejection = new RejectedExecutionException("no room");
        var once = actor(failing(rejection)).runOnce(() -> {});
        assertSame(rejection, Await.end(once).cause());
    }

    @Test
    void aLaterRejectionFailsTheRemainingMessages() {
        var gate = new Gate();
        var calls = new AtomicInteger();
        ReplyActor<Integer, Integer> actor = actor(ThreadStrategy.pool(task -> {
                    if (calls.incrementAndGet() > 1) {
                        throw new RejectedExecutionException("no room any more");
                    }
                    Thread.startVirtualThread(task);
                }))
                .newActorWithReturn((Integer n) -> {
                    gate.pass();
                    return n;
                });
        var replies = new CompletableFuture<?>[1_000];
        for (int i = 0; i < replies.length; i++) {
            replies[i] = actor.ask(i);
        }
        gate.open();
        assertEquals(ActorExit.Reason.FAILED, Await.end(actor).reason());
        assertEquals(0, Await.value(replies[0]));
        for (var reply : replies) {
            assertTrue(reply.isDone());
        }
        assertInstanceOf(ActorStoppedException.class, Await.failure(replies[999]));
    }

    @Test
    void theInterruptFlagOfTheExecutorsThreadIsKept() {
        var direct = ThreadStrategy.pool(Runnable::run);
        var actor = actor(direct)
                .newActorWithReturn((Integer n) -> Thread.currentThread().isInterrupted());
        Thread.currentThread().interrupt();
        var reply = actor.ask(1);
        assertTrue(Thread.interrupted());
        assertFalse(Await.value(reply));
        Await.value(actor.ask(2));
        assertFalse(Thread.interrupted());
    }

    @Test
    void noInterruptIsLeftOnTheExecutorsThread() {
        var direct = ThreadStrategy.pool(Runnable::run);
        var actor = actor(direct)
                .onStop(exit -> Thread.currentThread().interrupt())
                .newActor((Integer n) -> Thread.currentThread().interrupt());
        actor.tell(1);
        assertFalse(Thread.interrupted());
        actor.stop(StopMode.INTERRUPT);
        assertFalse(Thread.interrupted());
        Await.end(actor);
    }

    @Test
    void onADirectExecutorTheSenderHasTheAnswerWhenAskReturns() {
        var actor = actor(ThreadStrategy.pool(Runnable::run)).newActorWithReturn((Integer n) -> n + 1);
        for (int i = 0; i < 100; i++) {
            var reply = actor.ask(i);
            assertTrue(reply.isDone());
            assertEquals(i + 1, Await.value(reply));
        }
    }

    @Test
    void aLongChainOnADirectExecutorDoesNotOverflowTheStack() {
        var handled = new AtomicInteger();
        Actor<Integer> actor = actor(ThreadStrategy.pool(Runnable::run)).newActorFrom(me -> n -> {
            handled.incrementAndGet();
            if (n > 0) {
                me.self().tell(n - 1);
                me.self().execute(() -> {}); // two of them: a batch ends with a remaining message
            }
        });
        actor.tell(1_000_000);
        actor.stop();
        Await.end(actor);
        assertEquals(1_000_001, handled.get());
    }

    @Test
    void anActorIsSubmittedOnceForManyMessages() {
        var tasks = new ArrayDeque<Runnable>();
        var handled = new AtomicInteger();
        var actor = actor(ThreadStrategy.pool(tasks::add)).newActor((Integer n) -> handled.incrementAndGet());
        for (int i = 0; i < 10; i++) {
            actor.tell(i);
        }
        assertEquals(1, tasks.size());
        tasks.remove().run();
        assertEquals(10, handled.get());
        assertEquals(0, tasks.size());
    }

    private static ThreadStrategy failing(Throwable thrown) {
        Executor executor = task -> {
            if (thrown instanceof Error error) {
                throw error;
            }
            throw (RuntimeException) thrown;
        };
        return ThreadStrategy.pool(executor);
    }
}
