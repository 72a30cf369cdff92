package io.fibry;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.fibry.testing.Await;
import io.fibry.testing.Gate;
import io.fibry.testing.KernelTest;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The clock serves all timers of the JVM: an actor whose timer has expired does not occupy it. */
class ClockTest extends KernelTest {

    @Test
    void aHandlerThatItsExecutorRunsOnTheCallerDoesNotKeepTheClock() {
        var gate = new Gate();
        Actor<String> actor = actor(ThreadStrategy.pool(Runnable::run)).newActorFrom(context -> message -> {
            if (message.equals("begin")) {
                context.after(Duration.ofMillis(1), "tick");
            } else {
                gate.pass();
            }
        });
        Thread.startVirtualThread(() -> actor.tell("begin")); // the tick may come while this thread runs the actor
        gate.awaitReached();
        var other = new CompletableFuture<Integer>().completeOnTimeout(1, 1, TimeUnit.MILLISECONDS);
        assertEquals(1, Await.value(other));
        gate.open();
    }
}
