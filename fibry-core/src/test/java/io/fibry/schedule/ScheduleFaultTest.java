package io.fibry.schedule;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.Actor;
import io.fibry.ActorExit.Reason;
import io.fibry.ActorSystem;
import io.fibry.ContextCarrier;
import io.fibry.SystemOptions;
import io.fibry.ThreadStrategy;
import io.fibry.testing.AllStrategies;
import io.fibry.testing.FailingContext;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A schedule whose clock or function throws an error: it continues or fails, but does not stay without a next run. */
class ScheduleFaultTest extends TimetableCase {

    /** More than the reads of the clock in three runs. */
    private static final int READS = 12;

    /** More than the contexts that three runs capture. */
    private static final int CONTEXTS = 12;

    private static final Duration DAY = Duration.ofDays(1);

    private final FailingContext carrier = new FailingContext(new OutOfMemoryError("on purpose"));
    private final ActorSystem exhausted =
            ActorSystem.create(SystemOptions.defaults().context(carrier));

    @AfterEach
    void closeExhausted() {
        exhausted.close();
    }

    // ---- errors

    @AllStrategies(direct = true)
    void anErrorOfTheClockEndsTheSchedule(ThreadStrategy strategy) {
        for (Error error : List.of(new StackOverflowError("on purpose"), new LinkageError("on purpose"))) {
            for (int good = 1; good <= 3; good++) { // before the run, after it, and at an alarm
                for (Timetable table : hereAndInChild(Timetable.atFixedRate(SHORT))) {
                    assertFailed(error, start(strategy, table.clock(throwingAfter(good, error))));
                }
            }
            var atStart = Timetable.atFixedRate(SHORT).clock(throwingAfter(0, error));
            var e = assertThrows(IllegalStateException.class, () -> start(strategy, atStart));
            assertSame(error, e.getCause());
        }
    }

    @AllStrategies(direct = true)
    void anErrorOfTheFunctionEndsTheSchedule(ThreadStrategy strategy) {
        var error = new StackOverflowError("on purpose");
        for (int good = 1; good <= 2; good++) { // before the run, by the policy for missed runs, and after it
            int limit = good;
            var calls = new AtomicInteger();
            Timetable following = Timetable.following(t -> {
                if (calls.incrementAndGet() > limit) {
                    throw error;
                }
                return t.plusNanos(1);
            });
            assertFailed(error, start(strategy, following.clock(hourly()).missed(MissedRuns.SKIP)));
        }
    }

    // ---- exhausted memory

    @AllStrategies(direct = true)
    void aClockThatRunsOutOfMemoryLosesNoRun(ThreadStrategy strategy) {
        for (int read = 2; read <= READS; read++) {
            for (Timetable table : hereAndInChild(Timetable.withFixedDelay(Duration.ofNanos(1)))) {
                InstantSource time = new MonotonicClock();
                var reads = new AtomicInteger(-read);
                InstantSource clock = () -> exhaustedOnce(reads, time.instant(), Function.identity());
                assertThreeRuns(start(strategy, table.maxRuns(3).clock(clock)));
            }
        }
    }

    @AllStrategies(direct = true)
    void aFunctionThatRunsOutOfMemoryLosesNoRun(ThreadStrategy strategy) {
        for (int call = 2; call <= 4; call++) {
            var calls = new AtomicInteger(-call);
            Timetable following = Timetable.following(t -> exhaustedOnce(calls, t, from -> from.plusNanos(1)));
            for (Timetable table : hereAndInChild(following)) {
                calls.set(-call);
                assertThreeRuns(start(strategy, table.maxRuns(3)));
            }
        }
    }

    @AllStrategies(direct = true)
    void aChildThatCannotBeStartedDelaysNoOtherRun(ThreadStrategy strategy) {
        int started = 0;
        for (int context = 1; context <= CONTEXTS; context++) {
            for (Timetable table : hereAndInChild(Timetable.withFixedDelay(SHORT))) {
                carrier.failAt(context);
                try {
                    var builder = exhausted.actor("schedule").strategy(strategy); // the name is free again
                    var schedule = Schedule.start(builder, runs::incrementAndGet, table.maxRuns(3));
                    started++;
                    assertTrue(schedule.waitForExit(Duration.ofSeconds(30)), "context " + context);
                    assertTrue(schedule.exit().join().isNormal());
                } catch (OutOfMemoryError e) {
                    assertEquals("on purpose", e.getMessage()); // not started
                }
            }
        }
        carrier.failAt(0);
        assertTrue(started > CONTEXTS, "started: " + started);
    }

    @AllStrategies
    void aStopEndsAPlanningThatNeverHasMemory(ThreadStrategy strategy) {
        var reads = new AtomicInteger();
        InstantSource clock = () -> {
            if (reads.incrementAndGet() > 2) { // the start, and before the run
                throw new OutOfMemoryError("on purpose");
            }
            return Instant.EPOCH;
        };
        var schedule = start(strategy, Timetable.atFixedRate(SHORT).clock(clock));
        assertEndsAfterAttempts(schedule, reads);
    }

    @AllStrategies
    void aStopEndsATickThatNeverHasMemory(ThreadStrategy strategy) {
        var isExhausted = new AtomicBoolean();
        var attempts = new AtomicInteger();
        ContextCarrier carrier = () -> {
            if (isExhausted.get()) {
                attempts.incrementAndGet();
                throw new OutOfMemoryError("on purpose");
            }
            throw new IllegalStateException("no context");
        };
        try (var withoutMemory = ActorSystem.create(SystemOptions.defaults().context(carrier))) {
            Timetable due = Timetable.following(t -> t.plusNanos(1))
                    .missed(MissedRuns.ALL)
                    .clock(hourly());
            var schedule = Schedule.start(withoutMemory.actor().strategy(strategy), () -> isExhausted.set(true), due);
            assertEndsAfterAttempts(schedule, attempts);
        }
    }

    private static void assertEndsAfterAttempts(Actor<Void> schedule, AtomicInteger attempts) {
        await().atMost(Duration.ofSeconds(30)).until(() -> attempts.get() > 5);
        schedule.stop();
        assertTrue(schedule.waitForExit(Duration.ofSeconds(30)));
    }

    // ---- the ends of the time line

    @AllStrategies(direct = true)
    void aRunSoonAfterTheSmallestInstant(ThreadStrategy strategy) {
        for (MissedRuns missed : MissedRuns.values()) {
            runs.set(0);
            var clock = new TestClock("2026-06-01T00:00:00Z");
            clock.now.set(Instant.MIN);
            Timetable following = Timetable.following(t -> t.plusSeconds(1)).missed(missed);
            Timetable table = following.tolerance(DAY).clock(clock).lookEvery(SHORT);
            var schedule = start(strategy, table);
            clock.advance(Duration.ofSeconds(1));
            awaitRuns(1);
            schedule.close();
        }
    }

    @Test
    void aRunAtTheLargestInstantHasNoNextOne() {
        Timetable table = Timetable.withFixedDelay(SHORT).clock(() -> Instant.MAX);
        var schedule = start(ThreadStrategy.virtual(), table);
        assertTrue(schedule.waitForExit(Duration.ofSeconds(30)));
        assertEquals(1, runs.get());
        assertInstanceOf(DateTimeException.class, schedule.exit().join().cause().getCause());
    }

    private static List<Timetable> hereAndInChild(Timetable table) {
        return List.of(table, table.interruptAfter(DAY));
    }

    private void assertThreeRuns(Actor<Void> schedule) {
        assertTrue(schedule.waitForExit(Duration.ofSeconds(30)));
        assertTrue(schedule.exit().join().isNormal());
        assertEquals(3, runs.getAndSet(0));
    }

    private static void assertFailed(Error error, Actor<Void> schedule) {
        assertTrue(schedule.waitForExit(Duration.ofSeconds(30)));
        var exit = schedule.exit().join();
        assertEquals(Reason.FAILED, exit.reason());
        assertSame(error, exit.cause().getCause());
    }

    /** A clock that stands still, and throws after this number of reads. */
    private static InstantSource throwingAfter(int good, Error error) {
        var reads = new AtomicInteger();
        return () -> {
            if (reads.incrementAndGet() > good) {
                throw error;
            }
            return Instant.EPOCH;
        };
    }

    /** A clock that is an hour later at each read. */
    private static InstantSource hourly() {
        var reads = new AtomicInteger();
        return () -> Instant.EPOCH.plus(Duration.ofHours(reads.getAndIncrement()));
    }

    /** The result of the function; throws an {@link OutOfMemoryError} instead when the counter reaches 0. */
    private static Instant exhaustedOnce(AtomicInteger counter, Instant time, Function<Instant, Instant> function) {
        if (counter.incrementAndGet() == 0) {
            throw new OutOfMemoryError("on purpose");
        }
        return function.apply(time);
    }
}
