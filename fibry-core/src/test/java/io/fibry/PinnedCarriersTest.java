package io.fibry;

import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.testing.Await;
import io.fibry.testing.Gate;
import io.fibry.testing.KernelTest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Handlers that wait inside {@code synchronized}, one for each carrier thread. On Java 21 to 23 they pin these threads,
 * so no virtual thread runs until they continue. Operations that need no virtual thread have to work.
 */
class PinnedCarriersTest extends KernelTest {

    private static final int CARRIERS = Integer.getInteger(
            "jdk.virtualThreadScheduler.parallelism", Runtime.getRuntime().availableProcessors());

    private final List<ReplyActor<Object, Object>> actors = new ArrayList<>();
    private final List<Gate> gates = new ArrayList<>();

    @BeforeEach
    void pinAll() {
        for (int i = 0; i < CARRIERS; i++) {
            var gate = new Gate();
            var monitor = new Object();
            gates.add(gate);
            ReplyActor<Object, Object> actor = system.actor().newActorWithReturn(message -> {
                synchronized (monitor) {
                    gate.pass();
                }
                return message;
            });
            actors.add(actor);
            actor.tell("wait");
        }
        gates.forEach(Gate::awaitReached);
    }

    @AfterEach
    void openGates() {
        gates.forEach(Gate::open);
    }

    @Test
    void anAskTimesOut() {
        var late = assertInstanceOf(
                AskTimeoutException.class, Await.failure(actors.getFirst().ask("late", Duration.ofMillis(10))));
        assertTrue(late.getMessage().contains("number 1"), late::getMessage);
    }

    @Test
    void actorsWithOtherThreadsGetTheirTimers() {
        for (var strategy : List.of(
                ThreadStrategy.platform(),
                ThreadStrategy.pool(Runnable::run),
                ThreadStrategy.pool(task -> Thread.ofPlatform().start(task)))) {
            var rung = new CompletableFuture<Object>();
            Actor<Object> actor = actor(strategy).newActorFrom(context -> message -> {
                if (message.equals("start")) {
                    context.after(Duration.ofMillis(10), "tick");
                } else {
                    rung.complete(message);
                }
            });
            actor.tell("start");
            Await.value(rung);
        }
    }
}
