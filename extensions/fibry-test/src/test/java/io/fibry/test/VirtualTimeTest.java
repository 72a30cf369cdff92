package io.fibry.test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.Actor;
import io.fibry.ActorExit;
import io.fibry.ActorStoppedException;
import io.fibry.ActorSystem;
import io.fibry.AskTimeoutException;
import io.fibry.ReplyActor;
import io.fibry.StopMode;
import io.fibry.Supervision;
import io.fibry.schedule.Timetable;
import io.fibry.stereotypes.Stereotypes;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** All time-dependent operations use the time of the test. */
class VirtualTimeTest {

    private static final Duration HOUR = Duration.ofHours(1);

    @AutoClose
    private final TestSystem test = TestSystem.create();

    private final List<String> log = new ArrayList<>();

    @Test
    void timersFireInOrderAndOnlyWhenTheyAreDue() {
        Actor<String> clock = test.actor().newActorFrom(context -> {
            context.after(HOUR.multipliedBy(2), "two");
            context.after(HOUR, "one");
            return log::add;
        });
        clock.tell("begin");
        test.advance(HOUR.minusNanos(1));
        assertEquals(List.of("begin"), log);
        test.advance(Duration.ofNanos(1));
        assertEquals(List.of("begin", "one"), log);
        test.advance(HOUR);
        assertEquals(List.of("begin", "one", "two"), log);
        assertEquals(HOUR.multipliedBy(2), test.elapsed());
    }

    @Test
    void aPeriodicTimerComesOncePerPeriod() {
        Actor<String> clock = test.actor().newActorFrom(context -> {
            context.every(Duration.ofMinutes(1), "tick");
            return log::add;
        });
        clock.tell("begin");
        test.advance(HOUR);
        assertEquals(61, log.size());
    }

    @Test
    void aReceiveTimeoutComesAfterTheLastMessage() {
        Actor<String> idle = test.actor().newActorFrom(context -> {
            context.receiveTimeout(HOUR, "idle");
            return log::add;
        });
        test.advance(HOUR.dividedBy(2));
        idle.tell("hello");
        test.advance(HOUR.minusNanos(1));
        assertEquals(List.of("hello"), log);
        test.advance(Duration.ofNanos(1));
        assertEquals(List.of("hello", "idle"), log);
    }

    @Test
    void schedulesAndTimetablesFollowIt() {
        Stereotypes.def().in(test.system()).schedule(() -> log.add("rate"), Duration.ofMinutes(10));
        Stereotypes.def()
                .in(test.system())
                .schedule(() -> log.add("at " + test.now()), Timetable.dailyAt(ZoneOffset.UTC, LocalTime.of(0, 30)));
        test.advance(HOUR);
        assertEquals(1, log.stream().filter("at 2000-01-01T00:30:00Z"::equals).count(), log.toString());
        assertTrue(log.stream().filter("rate"::equals).count() >= 6, log.toString());
    }

    @Test
    void anAskTimesOutWithoutWaiting() {
        ReplyActor<String, String> silent = test.actor().newActorWithReturnFrom(context -> message -> {
            context.deferReply();
            return message;
        });
        CompletableFuture<String> reply = silent.ask("hello", HOUR);
        test.advance(HOUR.minusNanos(1));
        assertFalse(reply.isDone());
        test.advance(Duration.ofNanos(1));
        assertInstanceOf(AskTimeoutException.class, reply.exceptionNow());
    }

    /** If the test waits and nothing else can run, time advances automatically. */
    @Test
    void theClockAdvancesToTheAwaitedCondition() {
        ReplyActor<String, String> silent = test.actor().newActorWithReturnFrom(context -> message -> {
            context.deferReply();
            return message;
        });
        CompletableFuture<String> reply = silent.ask("hello", HOUR);
        assertThrows(CompletionException.class, reply::join);
        assertEquals(HOUR, test.elapsed());
    }

    @Test
    void timeoutsOfFuturesFollowIt() {
        ReplyActor<String, String> silent = test.actor().newActorWithReturnFrom(context -> message -> {
            context.deferReply();
            return message;
        });
        assertThrows(TimeoutException.class, () -> silent.ask("a").get(1, TimeUnit.HOURS));
        assertEquals(HOUR, test.elapsed());
        assertEquals(
                "none",
                silent.ask("b").completeOnTimeout("none", 1, TimeUnit.HOURS).join());
        assertThrows(
                CompletionException.class,
                () -> silent.ask("c")
                        .thenApply(String::length)
                        .orTimeout(1, TimeUnit.HOURS)
                        .join());
        assertEquals(HOUR.multipliedBy(3), test.elapsed());
    }

    @Test
    void aBackoffFollowsIt() {
        int[] made = {0};
        Actor<String> actor = test.actor()
                .supervision(Supervision.restart().backoff(HOUR, HOUR))
                .newActorFrom(context -> {
                    made[0]++;
                    return message -> {
                        throw new IllegalStateException("down");
                    };
                });
        test.expectFailure(actor, IllegalStateException.class);
        actor.tell("go");
        test.advance(HOUR.dividedBy(4));
        assertEquals(1, made[0]);
        test.advance(HOUR.multipliedBy(2));
        assertEquals(2, made[0]);
    }

    @Test
    void theDeadlineOfACloseFollowsIt() {
        Probe<String> silent = test.probe("silent");
        Actor<String> stuck = test.actor("stuck")
                .newActor(message ->
                        log.add("" + silent.asReplyActor().ask(message).get()));
        stuck.tell("go");
        test.runUntilIdle();
        assertTrue(stuck.close(HOUR), "interrupted after the deadline");
        assertTrue(test.elapsed().compareTo(HOUR) >= 0);
    }

    /** Its steps occur at their times, although no caller waits. */
    @Test
    void aStopWithADeadlineFollowsIt() {
        Probe<String> silent = test.probe("silent");
        ReplyActor<String, String> stuck = test.actor("stuck")
                .newActorWithReturn(
                        message -> silent.asReplyActor().ask(message).get().toString());
        stuck.tell("go");
        test.runUntilIdle();
        CompletableFuture<String> queued = stuck.ask("next");
        CompletableFuture<ActorExit> end = stuck.stop(HOUR);
        test.advance(HOUR.minusNanos(1));
        assertFalse(queued.isDone());
        test.advance(Duration.ofNanos(1));
        assertInstanceOf(ActorStoppedException.class, queued.exceptionNow());
        assertFalse(end.isDone());
        test.advance(Duration.ofSeconds(1));
        assertEquals(ActorExit.Reason.INTERRUPTED, end.join().reason());
        assertEquals(HOUR.plusSeconds(1), test.elapsed());
    }

    @Test
    void theAlarmOfAStopEndsWithTheActor() {
        Actor<String> quick = test.actor().newActor(log::add);
        CompletableFuture<ActorExit> end = quick.stop(HOUR);
        assertEquals(ActorExit.Reason.NORMAL, end.join().reason());
        assertTrue(test.elapsed().isZero());
    }

    @Test
    void aSystemOfTheTestIsUnderItsControl() {
        ActorSystem other = ActorSystem.create();
        assertEquals(
                "hello!",
                other.actor()
                        .newActorWithReturn((String s) -> s + "!")
                        .ask("hello")
                        .join());
        assertEquals(
                "hi!",
                ActorSystem.anonymous()
                        .newActorWithReturn((String s) -> s + "!")
                        .ask("hi")
                        .join());
        Actor<String> actor = other.actor("clock").newActorFrom(context -> {
            context.after(HOUR, "due");
            return log::add;
        });
        test.advance(HOUR);
        assertEquals(List.of("due"), log);
        assertTrue(other.close(HOUR));
        assertTrue(actor.exit().isDone());
    }

    @Test
    void anInterruptReachesAHandlerThatWaits() {
        Actor<String> waits = test.actor("waits").newActorFrom(context -> message -> {
            try {
                context.receive(m -> false, Duration.ofDays(1));
            } finally {
                log.add("interrupted: " + Thread.currentThread().isInterrupted());
            }
        });
        waits.tell("go");
        test.runUntilIdle();
        waits.stop(StopMode.INTERRUPT);
        waits.waitForExit();
        assertEquals(1, log.size());
        assertEquals(Duration.ZERO, test.elapsed());
    }

    @Test
    void aPauseOfAHandlerFollowsIt() {
        Actor<String> slow = test.actor().newActorFrom(context -> message -> {
            log.add(message + " begins");
            context.pause(HOUR);
            log.add(message + " ends");
        });
        slow.tell("a");
        slow.tell("b");
        test.actor().newActor((String m) -> log.add(m)).tell("meanwhile");
        test.advance(HOUR.minusNanos(1));
        assertEquals(List.of("a begins", "meanwhile"), log);
        test.advance(Duration.ofNanos(1));
        assertEquals(List.of("a begins", "meanwhile", "a ends", "b begins"), log);
        test.advance(HOUR);
        assertEquals(5, log.size());
    }

    @Test
    void anInterruptEndsAPause() {
        Actor<String> slow = test.actor().newActorFrom(context -> message -> {
            try {
                context.pause(Duration.ofSeconds(Long.MAX_VALUE));
            } catch (InterruptedException e) {
                log.add("interrupted, status " + Thread.currentThread().isInterrupted());
            }
        });
        slow.tell("go");
        test.advance(HOUR);
        slow.stop(StopMode.INTERRUPT);
        slow.waitForExit();
        assertEquals(List.of("interrupted, status false"), log);
        assertEquals(HOUR, test.elapsed());
    }

    @Test
    void theTimeOfDayAdvances() {
        assertEquals(Instant.parse("2000-01-01T00:00:00Z"), test.now());
        test.advance(HOUR);
        assertEquals(Instant.parse("2000-01-01T01:00:00Z"), test.now());
        assertThrows(IllegalArgumentException.class, () -> test.advance(Duration.ofNanos(-1)));
    }

    /** The longest time is that of {@link System#nanoTime}, 292 years. */
    @Test
    void itDoesNotAdvanceBeyondItsEnd() {
        test.advance(HOUR);
        Duration longest = Duration.ofNanos(Long.MAX_VALUE - 1);
        for (Duration tooLong : List.of(longest, longest.plusNanos(1), Duration.ofSeconds(Long.MAX_VALUE))) {
            var refusal = assertThrows(IllegalArgumentException.class, () -> test.advance(tooLong));
            assertTrue(refusal.getMessage().contains("292 years"), refusal.getMessage());
        }
        assertEquals(HOUR, test.elapsed());
        test.advance(longest.minus(HOUR));
        assertEquals(longest, test.elapsed());
    }

    @Test
    void aThreadHasOneTestSystem() {
        assertThrows(IllegalStateException.class, TestSystem::create);
    }

    @Test
    void afterTheCloseTheThreadIsFree() {
        test.close();
        try (ActorSystem real = ActorSystem.create()) {
            assertEquals(
                    "a",
                    real.actor().newActorWithReturn((String s) -> s).ask("a").join());
        }
        try (TestSystem next = TestSystem.create()) {
            assertEquals(Duration.ZERO, next.elapsed());
        }
    }
}
