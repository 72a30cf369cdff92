package io.fibry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.testing.AllStrategies;
import io.fibry.testing.Await;
import io.fibry.testing.KernelTest;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** {@code exit} and {@code waitForExit}: any number of waiters, before and after the end. */
class ExitTest extends KernelTest {

    @AllStrategies(direct = true)
    void everyCallOfExitReturnsAFutureOfItsOwn(ThreadStrategy strategy) {
        var actor = actor(strategy).newSink(null);
        var mine = actor.exit();
        var yours = actor.exit();
        assertTrue(mine.complete(exit(ActorExit.Reason.FAILED, new IllegalStateException("made up"))));
        assertTrue(actor.exit().cancel(false));
        assertFalse(yours.isDone());
        assertFalse(actor.waitForExit(Duration.ZERO));
        actor.stop();
        assertEquals(ActorExit.Reason.NORMAL, Await.value(yours).reason());
        assertEquals(ActorExit.Reason.NORMAL, Await.end(actor).reason());
    }

    @AllStrategies
    void manyThreadsWaitBeforeAndAfterTheEnd(ThreadStrategy strategy) {
        var actor = actor(strategy).newSink(null);
        var waiters = Stream.generate(() -> Thread.ofPlatform().start(actor::waitForExit))
                .limit(10)
                .toList();
        waiters.forEach(Await::untilBlocked);
        var virtual = Stream.generate(() -> Thread.startVirtualThread(actor::waitForExit))
                .limit(100)
                .toList();
        actor.stop();
        waiters.forEach(Await::thread);
        virtual.forEach(Await::thread);
        actor.waitForExit();
        assertTrue(actor.waitForExit(Duration.ZERO));
        assertTrue(actor.exit().isDone());
    }

    @AllStrategies(direct = true)
    void waitingDoesNotStopTheActorAndReturnsWhetherItHasEnded(ThreadStrategy strategy) {
        var actor = actor(strategy).newActorWithReturn((Integer n) -> n);
        assertFalse(actor.waitForExit(Duration.ofMillis(1)));
        assertEquals(1, Await.value(actor.ask(1)));
        actor.stop();
        assertTrue(actor.waitForExit(Await.LIMIT));
    }

    @AllStrategies(direct = true)
    void waitingFromInsideIsRefused(ThreadStrategy strategy) {
        ReplyActor<Integer, Integer> actor = actor(strategy).newActorWithReturnFrom(context -> n -> {
            if (n == 0) {
                context.self().waitForExit();
            } else {
                context.self().waitForExit(Duration.ofMillis(n));
            }
            return n;
        });
        for (int n = 0; n < 2; n++) {
            Throwable failure = Await.failure(actor.ask(n));
            assertInstanceOf(IllegalStateException.class, failure);
            assertTrue(failure.getMessage().contains(actor.name()), failure::getMessage);
        }
    }

    @AllStrategies
    void oneActorWaitsForAnother(ThreadStrategy strategy) {
        var other = actor(strategy).newSink(null);
        var waiter = actor(strategy).newActorWithReturn((Integer n) -> {
            other.waitForExit();
            return n;
        });
        var reply = waiter.ask(1);
        other.stop();
        assertEquals(1, Await.value(reply));
    }

    @Test
    void anInterruptedWaiterGetsAnExceptionAndKeepsItsFlag() {
        var actor = system.actor().newSink(null);
        var outcome = new CompletableFuture<Boolean>();
        var waiter = Thread.ofPlatform().start(() -> {
            var e = assertThrows(ActorInterruptedException.class, actor::waitForExit);
            outcome.complete(e.getCause() instanceof InterruptedException
                    && Thread.currentThread().isInterrupted());
        });
        Await.untilBlocked(waiter);
        waiter.interrupt();
        assertTrue(Await.value(outcome));
        assertFalse(actor.exit().isDone());
    }

    @Test
    void anInterruptedThreadCanWaitForAnEndedActor() {
        var actor = system.actor().newSink(null);
        actor.close();
        Thread.currentThread().interrupt();
        assertTrue(actor.waitForExit(Duration.ofSeconds(1)));
        assertTrue(Thread.interrupted());
    }

    @Test
    void anExitHasACauseExactlyIfItFailed() {
        var cause = new IllegalStateException("broken");
        assertEquals(cause, exit(ActorExit.Reason.FAILED, cause).cause());
        assertThrows(IllegalArgumentException.class, () -> exit(ActorExit.Reason.FAILED, null));
        assertThrows(IllegalArgumentException.class, () -> exit(ActorExit.Reason.NORMAL, cause));
        assertThrows(NullPointerException.class, () -> exit(null, null));
    }

    @SuppressWarnings("NullAway") // arguments that the record refuses
    private static ActorExit exit(ActorExit.@Nullable Reason reason, @Nullable Throwable cause) {
        return new ActorExit(reason, cause, 0, 0, 0, List.of());
    }
}
