package io.fibry.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.Actor;
import io.fibry.ActorBuilder;
import io.fibry.ActorStoppedException;
import io.fibry.ActorTimer;
import io.fibry.ReplyActor;
import io.fibry.ReplyContext;
import io.fibry.Supervision;
import io.fibry.ThreadStrategy;
import io.fibry.testing.AllStrategies;
import io.fibry.testing.Await;
import io.fibry.testing.CountingBehavior;
import io.fibry.testing.KernelTest;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/**
 * {@code receiveTimeout}. Where the time of the last message matters, the timeout is far longer than the test, and the
 * test itself sets that time and triggers the alarm.
 */
class ReceiveTimeoutTest extends KernelTest {

    private static final Duration SHORT = Duration.ofMillis(1);
    private static final Duration LONG = Duration.ofDays(10);

    private final RuntimeException failure = new IllegalStateException("meant to fail");
    private final List<Object> seen = new CopyOnWriteArrayList<>();

    /** Records its messages and replies; an exception thrown by the code of a message is its failure. */
    private ReplyActor<Object, Integer> recorder(ActorBuilder<Object> builder) {
        return builder.newActorWithReturnFrom(context -> message -> {
            if (message instanceof InReplyContext code) {
                code.accept(context);
            } else {
                seen.add(message);
            }
            CountingBehavior.act(message);
            return seen.size();
        });
    }

    /** Code that runs as a message. */
    @FunctionalInterface
    private interface InReplyContext extends Consumer<ReplyContext<Object, Integer>> {}

    private static void run(ReplyActor<Object, Integer> actor, InReplyContext code) {
        Await.value(actor.ask(code));
    }

    private static ReceiveTimeout<?> timeout(ReplyActor<Object, Integer> actor, Duration timeout, Object message) {
        var set = new CompletableFuture<ActorTimer>();
        run(actor, context -> set.complete(context.receiveTimeout(timeout, message)));
        return assertInstanceOf(ReceiveTimeout.class, Await.value(set));
    }

    /** Simulates that the last message of an actor, which is idle, arrived that long ago. */
    private static long silence(Actor<?> actor, ReceiveTimeout<?> timeout, Duration since) {
        Await.until("the actor is idle", ActorCell.of(actor)::isIdle);
        long moment = System.nanoTime() - since.toNanos();
        timeout.idleSince = moment;
        return moment;
    }

    /** Runs the action of its alarm. */
    private static void ring(Actor<?> actor, ReceiveTimeout<?> timeout) {
        assertTrue(ActorCell.of(actor).signal(timeout));
    }

    @AllStrategies
    void theTimeoutRepeatsUntilItIsCancelled(ThreadStrategy strategy) {
        for (UnaryOperator<ActorBuilder<Object>> mailbox : mailboxes()) {
            var actor = recorder(mailbox.apply(actor(strategy)));
            var timeout = timeout(actor, SHORT, "silence");
            Await.until("silence", () -> seen.stream().filter("silence"::equals).count() >= 3);
            timeout.cancel();
            timeout.cancel();
            run(actor, context -> seen.add("cancelled")); // after a concurrent alarm
            int before = seen.size();
            ring(actor, timeout);
            run(actor, context -> {});
            assertEquals(before, seen.size());
            assertTrue(actor.close(Await.LIMIT));
            seen.clear();
        }
    }

    @AllStrategies(direct = true)
    void theTimeoutOccursAfterSilenceOnly(ThreadStrategy strategy) {
        var actor = recorder(actor(strategy));
        var timeout = timeout(actor, LONG, "silence");
        ring(actor, timeout); // too early
        run(actor, context -> {});
        assertEquals(List.of(), seen);
        silence(actor, timeout, LONG.minusDays(1));
        ring(actor, timeout); // still too early
        silence(actor, timeout, LONG.plusDays(1));
        ring(actor, timeout);
        run(actor, context -> {});
        assertEquals(List.of("silence"), seen);
        ring(actor, timeout); // the next period has begun
        run(actor, context -> {});
        assertEquals(List.of("silence"), seen);
    }

    @AllStrategies(direct = true)
    void everyMessagePostponesIt(ThreadStrategy strategy) {
        for (UnaryOperator<ActorBuilder<Object>> mailbox : mailboxes()) {
            var actor = recorder(mailbox.apply(actor(strategy)));
            var timeout = timeout(actor, LONG, "silence");
            assertPostponed(actor, timeout, () -> actor.tell("told"));
            assertPostponed(actor, timeout, () -> Await.value(actor.ask("asked")));
            assertPostponed(actor, timeout, () -> Await.value(actor.ask("asked", LONG)));
            assertPostponed(actor, timeout, () -> actor.execute(() -> seen.add("executed")));
            assertPostponed(actor, timeout, () -> Await.failure(actor.ask(failure)));
            actor.close();
        }
    }

    private void assertPostponed(Actor<?> actor, ReceiveTimeout<?> timeout, Runnable send) {
        long before = silence(actor, timeout, LONG.plusDays(1));
        send.run();
        Await.until("it is postponed", () -> timeout.idleSince != before);
    }

    private static long daysLeft(Actor<?> actor) {
        var timers = ActorCell.of(actor).context().timersSnapshot();
        return Duration.ofNanos(timers.read().getFirst().left()).toDays();
    }

    @AllStrategies
    void theRemainingTimeBeginsAtTheEndOfTheHandler(ThreadStrategy strategy) {
        var actor = recorder(actor(strategy));
        var timeout = timeout(actor, LONG, "silence");
        silence(actor, timeout, Duration.ofDays(4).plusHours(1));
        assertEquals(5, daysLeft(actor));
        run(actor, context -> {
            seen.clear();
            seen.add(daysLeft(actor));
        });
        assertEquals(List.of(LONG.toDays()), seen);
    }

    @AllStrategies
    void internalMessagesDoNotPostponeTheTimeout(ThreadStrategy strategy) {
        var actor = recorder(actor(strategy));
        var timeout = timeout(actor, LONG, "silence");
        var other = actor(strategy).newSink(null);
        var stage = new CompletableFuture<Integer>();
        run(actor, context -> {
            context.pipeToSelf(stage, (value, failed) -> "result");
            context.watch(other, exit -> seen.add("watched"));
            context.every(SHORT, "tick");
        });
        Await.until("a tick", () -> seen.contains("tick")); // so the message before has been handled
        long before = silence(actor, timeout, Duration.ofDays(1));
        seen.clear();
        stage.complete(1);
        other.stop();
        Await.until("all of it", () -> seen.containsAll(List.of("tick", "result", "watched")));
        seen.clear();
        Await.until("one more tick", () -> seen.contains("tick"));
        assertEquals(before, timeout.idleSince);
    }

    @AllStrategies(direct = true)
    void aNewTimeoutReplacesThePreviousOne(ThreadStrategy strategy) {
        var actor = recorder(actor(strategy));
        var first = timeout(actor, LONG, "first");
        var second = timeout(actor, LONG, "second");
        for (ReceiveTimeout<?> each : List.of(first, second)) {
            silence(actor, each, LONG.plusDays(1));
            ring(actor, each);
        }
        run(actor, context -> {});
        assertEquals(List.of("second"), seen);
        first.cancel();
        assertTrue(ActorCell.of(actor).context().awaitsSomething());
        second.cancel();
        assertFalse(ActorCell.of(actor).context().awaitsSomething());
    }

    @AllStrategies(direct = true)
    void aRestartCancelsIt(ThreadStrategy strategy) {
        var actor = recorder(actor(strategy).supervision(Supervision.restart()));
        var timeout = timeout(actor, LONG, "silence");
        Await.failure(actor.ask(failure));
        run(actor, context -> {});
        seen.clear();
        assertTrue(timeout.isCancelled());
        silence(actor, timeout, LONG.plusDays(1));
        ring(actor, timeout);
        run(actor, context -> {});
        assertEquals(List.of(), seen);
    }

    @AllStrategies(direct = true)
    void wrongArgumentsAndEndedActorsAreRefused(ThreadStrategy strategy) {
        var actor = recorder(actor(strategy));
        var given = new CompletableFuture<ReplyContext<Object, Integer>>();
        run(actor, given::complete);
        var context = Await.value(given);
        assertThrows(NullPointerException.class, () -> context.receiveTimeout(LONG, null));
        assertThrows(NullPointerException.class, () -> context.receiveTimeout(null, "x"));
        for (Duration wrong : List.of(Duration.ZERO, Duration.ofNanos(-1))) {
            assertThrows(IllegalArgumentException.class, () -> context.receiveTimeout(wrong, "x"));
        }
        actor.close();
        assertThrows(ActorStoppedException.class, () -> context.receiveTimeout(LONG, "x"));
    }

    @AllStrategies(direct = true)
    void itEndsWithItsActor(ThreadStrategy strategy) {
        var actor = recorder(actor(strategy));
        var timeout = timeout(actor, SHORT, "silence");
        Await.until("silence", () -> seen.contains("silence"));
        actor.close();
        assertTrue(timeout.isCancelled());
        assertFalse(ActorCell.of(actor).signal(timeout));
        long silences = seen.stream().filter("silence"::equals).count();
        assertEquals(1 + silences, Await.end(actor).handled());
    }

    /** Only its alarm refers to the actor. */
    @AllStrategies(direct = true)
    void itEndsWithItsSystem(ThreadStrategy strategy) {
        var actor = recorder(actor(strategy));
        var timeout = timeout(actor, LONG, "silence");
        assertTrue(system.close(Await.LIMIT));
        Await.end(actor);
        assertTrue(timeout.isCancelled());
    }

    @AllStrategies(direct = true)
    void theTimeoutMessageCannotBeStashed(ThreadStrategy strategy) {
        var refusal = new CompletableFuture<Throwable>();
        Actor<String> actor = actor(strategy).newActorFrom(context -> {
            context.receiveTimeout(SHORT, "silence");
            return message -> refusal.complete(assertThrows(IllegalStateException.class, context::stash));
        });
        assertTrue(Await.value(refusal).getMessage().contains("receive timeout"));
        actor.close();
    }
}
