package io.fibry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.fibry.testing.AllStrategies;
import io.fibry.testing.Await;
import io.fibry.testing.KernelTest;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/**
 * A pause of a handler, in real time; {@code VirtualTimeTest} of the module {@code fibry-test} has the one of a test.
 */
class HandlerPauseTest extends KernelTest {

    private static final Duration LONG = Duration.ofDays(1);

    /** Only an interrupt ends a pause of a day. */
    @AllStrategies
    void aStopInterruptsIt(ThreadStrategy strategy) {
        var begun = new CountDownLatch(1);
        var outcome = new CompletableFuture<String>();
        Actor<String> actor = actor(strategy).newActorFrom(context -> message -> {
            begun.countDown();
            try {
                context.pause(LONG);
                outcome.complete("it has not paused");
            } catch (InterruptedException e) {
                outcome.complete("interrupted, status " + Thread.currentThread().isInterrupted());
                throw e;
            }
        });
        actor.tell("go");
        Await.latch(begun);
        actor.stop(StopMode.INTERRUPT);
        assertEquals("interrupted, status false", outcome.join());
        assertEquals(ActorExit.Reason.INTERRUPTED, actor.exit().join().reason());
    }

    @AllStrategies
    void theNextMessageWaits(ThreadStrategy strategy) throws Exception {
        List<String> log = new CopyOnWriteArrayList<>();
        ReplyActor<String, Integer> actor = actor(strategy).newActorWithReturnFrom(context -> message -> {
            log.add(message + " begins");
            context.pause(Duration.ofMillis(1));
            log.add(message + " ends");
            return log.size();
        });
        actor.tell("a");
        assertEquals(4, actor.call("b"));
        assertEquals(List.of("a begins", "a ends", "b begins", "b ends"), log);
    }

    /** The actor that the pausing one has made ready would otherwise be the next one of its worker. */
    @AllStrategies
    void otherActorsRunMeanwhile(ThreadStrategy strategy) {
        var ran = new CompletableFuture<String>();
        Actor<String> other = actor(strategy).newActor(ran::complete);
        Actor<String> actor = actor(strategy).newActorFrom(context -> message -> {
            other.tell(message);
            context.pause(LONG);
        });
        actor.tell("hello");
        assertEquals("hello", ran.join());
        assertFalse(actor.exit().isDone());
        actor.stop(StopMode.INTERRUPT);
    }

    @Test
    void anInterruptBeforeItCounts() {
        ReplyActor<String, String> actor = system.actor().newActorWithReturnFrom(context -> message -> {
            Thread.currentThread().interrupt();
            context.pause(LONG);
            return message;
        });
        assertThrows(InterruptedException.class, () -> actor.call("go"));
    }

    @Test
    void aNegativeDurationIsRefused() throws Exception {
        ReplyActor<Duration, String> actor = system.actor().newActorWithReturnFrom(context -> duration -> {
            context.pause(duration);
            return "paused";
        });
        assertEquals("paused", actor.call(Duration.ZERO));
        String text = assertThrows(IllegalArgumentException.class, () -> actor.call(Duration.ofNanos(-1)))
                .getMessage();
        assertEquals("duration must not be negative, but is PT-0.000000001S; use Duration.ZERO for at once", text);
    }
}
