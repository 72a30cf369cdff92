package io.fibry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.testing.AllStrategies;
import io.fibry.testing.Await;
import io.fibry.testing.CountingBehavior;
import io.fibry.testing.Gate;
import io.fibry.testing.KernelTest;
import io.fibry.testing.LogLines;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** The policies for failed actors, and the failures to which they apply. */
class SupervisionTest extends KernelTest {

    private static final Duration LONG = Duration.ofDays(1);

    private final CountingBehavior counting = new CountingBehavior();

    private ReplyActor<Object, Integer> counter(ThreadStrategy strategy, Supervision policy) {
        return counting.actor(actor(strategy).supervision(policy));
    }

    @AllStrategies(direct = true)
    void resumeKeepsTheState(ThreadStrategy strategy) {
        var actor = counter(strategy, Supervision.resume());
        assertEquals(1, Await.value(actor.ask("a")));
        var failure = new IllegalStateException("meant to fail");
        assertSame(failure, Await.failure(actor.ask(failure)));
        assertEquals(2, Await.value(actor.ask("b")));
        assertEquals(List.of("begin 1", "1 a", "1 b"), counting.events);
    }

    @AllStrategies(direct = true)
    void aRestartCreatesFreshStateBehindTheSameHandle(ThreadStrategy strategy) {
        var actor = counter(strategy, Supervision.restart());
        assertEquals(1, Await.value(actor.ask("a")));
        assertEquals(2, Await.value(actor.ask("b")));
        for (Throwable failure : List.of(new IllegalStateException("meant to fail"), new StackOverflowError("too"))) {
            assertSame(failure, Await.failure(actor.ask(failure)));
            assertEquals(1, Await.value(actor.ask("c")));
        }
        assertEquals(List.of("begin 1", "1 a", "1 b", "begin 2", "2 c", "begin 3", "3 c"), counting.events);
    }

    @AllStrategies
    void restartKeepsTheMailboxAndItsOrder(ThreadStrategy strategy) {
        var gate = new Gate();
        var actor = counter(strategy, Supervision.restart());
        actor.tell(gate);
        var failed = actor.ask(new IllegalStateException("meant to fail"));
        actor.tell("a");
        actor.execute(() -> counting.events.add("code"));
        var answer = actor.ask("b");
        gate.open();
        Await.failure(failed);
        assertEquals(2, Await.value(answer));
        assertEquals(List.of("begin 2", "2 a", "code", "2 b"), counting.events.subList(2, 6));
    }

    @AllStrategies
    void restartKeepsAMailboxWithALimitAndAnOrder(ThreadStrategy strategy) {
        var gate = new Gate();
        var actor = counting.actor(actor(strategy)
                .supervision(Supervision.restart())
                .bounded(10, Overflow.FAIL)
                .priority((Object one, Object two) -> one.toString().compareTo(two.toString())));
        actor.tell(gate);
        gate.awaitReached();
        List.of("d", "b", "c").forEach(actor::tell);
        actor.execute(() -> {
            throw new IllegalStateException("meant to fail");
        });
        var last = actor.ask("e");
        gate.open();
        assertEquals(4, Await.value(last));
        assertEquals(List.of("begin 2", "2 b", "2 c", "2 d", "2 e"), counting.events.subList(2, 7));
    }

    @AllStrategies(direct = true)
    void aFailureOfCodeOrOfATimerRestartsToo(ThreadStrategy strategy) {
        var second = new CompletableFuture<String>();
        var actor = actor(strategy).supervision(Supervision.restart()).<String>newActorFrom(context -> {
            if (counting.begin() == 1) {
                context.after(Duration.ofNanos(1), "tick");
            } else {
                second.complete("begun anew");
            }
            return message -> {
                throw new IllegalStateException("meant to fail");
            };
        });
        assertEquals("begun anew", Await.value(second));
        actor.execute(() -> {
            throw new IllegalStateException("meant to fail");
        });
        Await.until("a third behavior", () -> counting.made() == 3);
    }

    @AllStrategies(direct = true)
    void aRestartIsLoggedOnceAndNotIfItWasAsked(ThreadStrategy strategy) {
        try (var log = new LogLines()) {
            var clerk = counting.actor(system.actor("clerk").strategy(strategy).supervision(Supervision.restart()));
            Await.failure(clerk.ask(new IllegalStateException("meant to fail")));
            assertEquals("", log.text());
            clerk.tell(new IllegalStateException("meant to fail"));
            assertEquals(1, Await.value(clerk.ask("a")));
            assertEquals(1, log.with("ERROR", "clerk").size(), log::text);
        }
    }

    @AllStrategies(direct = true)
    void theFirstMatchingTypeDecides(ThreadStrategy strategy) {
        Supervision policy = Supervision.stop()
                .on(NumberFormatException.class, Supervision.resume())
                .on(RuntimeException.class, Supervision.restart())
                .on(IllegalArgumentException.class, Supervision.stop()); // too late: the previous one matches already
        var actor = counter(strategy, policy);
        assertEquals(1, Await.value(actor.ask("a")));
        Await.failure(actor.ask(new NumberFormatException("meant to fail")));
        assertEquals(2, Await.value(actor.ask("b")));
        Await.failure(actor.ask(new IllegalArgumentException("meant to fail")));
        assertEquals(1, Await.value(actor.ask("c")));
        var last = new AssertionError("meant to fail");
        Await.failure(actor.ask(last));
        assertSame(last, Await.end(actor).cause());
    }

    @AllStrategies(direct = true)
    void aPolicyOfATypeCanHaveNestedTypes(ThreadStrategy strategy) {
        Supervision runtime = Supervision.restart().on(IllegalStateException.class, Supervision.stop());
        var actor = counter(strategy, Supervision.resume().on(RuntimeException.class, runtime));
        assertEquals(1, Await.value(actor.ask("a")));
        Await.failure(actor.ask(new AssertionError("meant to fail")));
        assertEquals(2, Await.value(actor.ask("b")));
        Await.failure(actor.ask(new IllegalArgumentException("meant to fail")));
        assertEquals(1, Await.value(actor.ask("c")));
        Await.failure(actor.ask(new IllegalStateException("meant to fail")));
        assertEquals(ActorExit.Reason.FAILED, Await.end(actor).reason());
    }

    @AllStrategies
    void oneFailureMoreThanTheLimitEndsTheActor(ThreadStrategy strategy) {
        var gate = new Gate();
        var actor = counter(strategy, Supervision.restart().limit(2, LONG));
        var last = new IllegalStateException("the third");
        Await.failure(actor.ask(new IllegalStateException("the first")));
        actor.tell(gate);
        gate.awaitReached();
        var second = actor.ask(new IllegalStateException("the second"));
        var answered = actor.ask("a");
        var third = actor.ask(last);
        var neverHandled = actor.ask("b");
        gate.open();
        Await.failure(second);
        assertEquals(1, Await.value(answered));
        assertSame(last, Await.failure(third));
        assertSame(last, Await.failure(neverHandled).getCause());
        ActorExit exit = Await.end(actor);
        assertSame(last, exit.cause());
        assertEquals(List.of(5L, 3L, 1L), List.of(exit.handled(), exit.failed(), exit.discarded()));
        assertEquals(3, counting.made());
    }

    @AllStrategies(direct = true)
    void aLimitOfZeroEndsTheActorWithItsFirstFailure(ThreadStrategy strategy) {
        var actor = counter(strategy, Supervision.restart().limit(0, LONG));
        var failure = new IllegalStateException("meant to fail");
        actor.tell(failure);
        assertSame(failure, Await.end(actor).cause());
        assertEquals(1, counting.made());
    }

    @AllStrategies(direct = true)
    void withoutALimitTheActorIsRestartedAsOftenAsItFails(ThreadStrategy strategy) {
        var actor = counter(strategy, Supervision.restart());
        for (int i = 0; i < 1_000; i++) {
            Await.failure(actor.ask(new IllegalStateException("meant to fail")));
        }
        assertEquals(1, Await.value(actor.ask("a")));
        assertEquals(1_001, counting.made());
    }

    @Test
    void aRestartNeedsAFactory() {
        Supervision hidden = Supervision.stop()
                .on(IllegalStateException.class, Supervision.resume().on(Error.class, Supervision.restart()));
        for (Supervision policy : List.of(Supervision.restart(), hidden)) {
            List<Function<ActorBuilder<Object>, Actor<?>>> makers =
                    List.of(b -> b.newActor(m -> {}), b -> b.newActorWithReturn(m -> m), b -> b.newSink(null));
            for (var maker : makers) {
                ActorBuilder<Object> builder = system.actor("clerk").supervision(policy);
                var thrown = assertThrows(IllegalArgumentException.class, () -> maker.apply(builder));
                assertTrue(thrown.getMessage().contains("newActorFrom"), thrown::getMessage);
            }
        }
        assertEquals(1, Await.value(counting.actor(system.actor("clerk")).ask("the name is free")));
    }

    @Test
    void restartOptionsApplyToRestartsOnly() {
        for (Supervision policy : List.of(Supervision.resume(), Supervision.stop(), Supervision.escalate())) {
            var thrown = assertThrows(IllegalArgumentException.class, () -> policy.limit(1, LONG));
            assertTrue(thrown.getMessage().contains(policy.toString()), thrown::getMessage);
            assertThrows(IllegalArgumentException.class, () -> policy.backoff(LONG, LONG));
        }
        assertThrows(IllegalArgumentException.class, () -> Supervision.restart().limit(-1, LONG));
        assertThrows(IllegalArgumentException.class, () -> Supervision.restart().backoff(LONG, Duration.ZERO));
    }
}
