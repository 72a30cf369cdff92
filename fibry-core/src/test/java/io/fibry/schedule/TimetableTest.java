package io.fibry.schedule;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.Actor;
import io.fibry.ActorExit.Reason;
import io.fibry.StopMode;
import io.fibry.ThreadStrategy;
import io.fibry.testing.AllStrategies;
import io.fibry.testing.LogLines;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalTime;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class TimetableTest extends TimetableCase {

    @AllStrategies(direct = true)
    void aRunAtItsTimeOfDay(ThreadStrategy strategy) {
        var clock = new TestClock("2026-10-24T23:59:00Z");
        start(
                strategy,
                Timetable.dailyAt(ROME, LocalTime.of(2, 30)).clock(clock).lookEvery(SHORT));
        clock.advance(Duration.ofMinutes(31)); // 2:30 in summer time
        awaitRuns(1);
        clock.advance(Duration.ofHours(1)); // 2:30 in winter time
        clock.advance(Duration.ofHours(24));
        awaitRuns(2);
    }

    /** On 29 March 2026, 2:00 is 3:00 in Rome. */
    @AllStrategies(direct = true)
    void twoCoincidingTimesAreTwoRuns(ThreadStrategy strategy) {
        var clock = new TestClock("2026-03-29T01:29:00Z");
        start(
                strategy,
                Timetable.dailyAt(ROME, LocalTime.of(2, 30), LocalTime.of(3, 30))
                        .clock(clock)
                        .lookEvery(SHORT));
        clock.advance(Duration.ofMinutes(1));
        awaitRuns(2);
        clock.advance(Duration.ofHours(23)); // 2:30
        awaitRuns(3);
        clock.advance(Duration.ofHours(1)); // 3:30
        awaitRuns(4);
    }

    /** The clock was wrong by 400 days for a while. */
    @AllStrategies(direct = true)
    void aClockThatIsPutBackFarChangesThePlan(ThreadStrategy strategy) {
        var clock = new TestClock("2026-06-01T00:30:00Z");
        var looks = new AtomicInteger();
        var schedule = start(
                strategy,
                Timetable.following(t -> t.truncatedTo(ChronoUnit.HOURS).plus(Duration.ofHours(1)))
                        .clock(() -> {
                            Instant now = clock.instant();
                            looks.incrementAndGet();
                            return now;
                        })
                        .lookEvery(SHORT));
        settle(schedule, looks);
        clock.advance(Duration.ofDays(400));
        awaitRuns(1);
        settle(schedule, looks);
        clock.advance(Duration.ofDays(-400));
        settle(schedule, looks);
        awaitRuns(1);
        clock.advance(Duration.ofMinutes(30));
        awaitRuns(2);
        clock.advance(Duration.ofHours(1));
        awaitRuns(3);
    }

    @AllStrategies(direct = true)
    void aClockThatIsPutBackToTheSmallestInstantChangesThePlan(ThreadStrategy strategy) {
        var clock = new TestClock("2026-06-01T00:30:00Z");
        var plannedFrom = new CopyOnWriteArrayList<Instant>();
        var schedule = start(
                strategy,
                Timetable.following(t -> {
                            plannedFrom.add(t);
                            return t.plusSeconds(60);
                        })
                        .clock(clock)
                        .lookEvery(SHORT));
        clock.now.set(Instant.MIN);
        await().atMost(Duration.ofSeconds(30))
                .until(() ->
                        plannedFrom.contains(Instant.MIN) || schedule.exit().isDone());
        clock.advance(Duration.ofSeconds(60));
        awaitRuns(1);
    }

    // ---- delay, first run, most runs

    @AllStrategies(direct = true)
    void aDelayBeginsAtTheEndOfTheRunBefore(ThreadStrategy strategy) {
        var clock = new TestClock("2026-06-01T00:00:00Z");
        var looks = new AtomicInteger();
        var schedule = start(
                strategy,
                () -> {
                    clock.advance(Duration.ofSeconds(25)); // a run takes that long
                    runs.incrementAndGet();
                },
                Timetable.withFixedDelay(Duration.ofSeconds(10))
                        .clock(() -> {
                            looks.incrementAndGet();
                            return clock.instant();
                        })
                        .lookEvery(SHORT));
        awaitRuns(1);
        settle(schedule, looks); // the end of the run has been read from the clock
        clock.advance(Duration.ofSeconds(9));
        settle(schedule, looks);
        awaitRuns(1);
        clock.advance(Duration.ofSeconds(1));
        awaitRuns(2);
    }

    @AllStrategies(direct = true)
    void theFirstRunCanBeDelayed(ThreadStrategy strategy) {
        var clock = new TestClock("2026-06-01T00:00:00Z");
        var looks = new AtomicInteger();
        var schedule = start(
                strategy,
                Timetable.atFixedRate(Duration.ofSeconds(10))
                        .startAfter(Duration.ofSeconds(3))
                        .clock(() -> {
                            looks.incrementAndGet();
                            return clock.instant();
                        })
                        .lookEvery(SHORT));
        settle(schedule, looks);
        awaitRuns(0);
        clock.advance(Duration.ofSeconds(3));
        awaitRuns(1);
    }

    @AllStrategies(direct = true)
    void itEndsAfterTheLastRun(ThreadStrategy strategy) {
        var schedule = start(strategy, Timetable.atFixedRate(SHORT).maxRuns(5));
        assertTrue(schedule.waitForExit(Duration.ofSeconds(30)));
        assertEquals(5, runs.get());
        assertTrue(schedule.exit().join().isNormal());
        var delayed = start(strategy, Timetable.withFixedDelay(SHORT).maxRuns(5));
        assertTrue(delayed.waitForExit(Duration.ofSeconds(30)));
        assertEquals(10, runs.get());
    }

    @AllStrategies(direct = true)
    void itEndsWhenThereIsNoFurtherTime(ThreadStrategy strategy) {
        var times = new AtomicInteger();
        var schedule = start(strategy, Timetable.following(t -> times.incrementAndGet() > 3 ? null : t.plusNanos(1)));
        assertTrue(schedule.waitForExit(Duration.ofSeconds(30)));
        assertEquals(3, runs.get());
        var never = start(strategy, Timetable.following(t -> null));
        assertTrue(never.waitForExit(Duration.ofSeconds(30)));
        assertTrue(never.exit().join().isNormal());
    }

    // ---- runs that take too long

    @AllStrategies
    void aRunThatTakesTooLongIsReportedWithItsStack(ThreadStrategy strategy) throws Exception {
        var go = new CountDownLatch(1);
        try (var log = new LogLines()) {
            start(
                    strategy,
                    () -> awaitLatch(go),
                    Timetable.atFixedRate(Duration.ofDays(1)).reportAfter(SHORT));
            await().until(() -> log.text().contains("a run has taken longer than PT0.001S\n\tat "));
            go.countDown();
        }
    }

    @AllStrategies
    void aRunThatTakesTooLongCanBeInterrupted(ThreadStrategy strategy) throws Exception {
        var never = new CountDownLatch(1);
        var interrupted = new AtomicInteger();
        try (var log = new LogLines()) {
            var schedule = start(
                    strategy,
                    () -> {
                        try {
                            never.await();
                        } catch (InterruptedException e) {
                            interrupted.incrementAndGet();
                            throw e;
                        }
                    },
                    Timetable.atFixedRate(SHORT)
                            .interruptAfter(Duration.ofMillis(5))
                            .maxRuns(3));
            assertTrue(schedule.waitForExit(Duration.ofSeconds(30)));
            assertEquals(3, interrupted.get());
            assertTrue(schedule.exit().join().isNormal());
            assertTrue(log.text().contains("and is interrupted"), log.text());
        }
    }

    @AllStrategies
    void aQuickRunIsNotInterruptedAndRunsDoNotOverlap(ThreadStrategy strategy) {
        var running = new AtomicInteger();
        var most = new AtomicInteger();
        var schedule = start(
                strategy,
                () -> {
                    most.accumulateAndGet(running.incrementAndGet(), Math::max);
                    runs.incrementAndGet();
                    running.decrementAndGet();
                },
                Timetable.atFixedRate(Duration.ofNanos(1))
                        .interruptAfter(Duration.ofDays(1))
                        .maxRuns(50));
        assertTrue(schedule.waitForExit(Duration.ofSeconds(30)));
        assertEquals(50, runs.get());
        assertEquals(1, most.get());
    }

    @AllStrategies
    void aStopReachesTheCurrentRun(ThreadStrategy strategy) throws Exception {
        for (boolean inChild : new boolean[] {false, true}) {
            var at = new CountDownLatch(1);
            var never = new CountDownLatch(1);
            var timetable = Timetable.atFixedRate(Duration.ofDays(1));
            var schedule = start(
                    strategy,
                    () -> {
                        at.countDown();
                        never.await();
                    },
                    inChild ? timetable.interruptAfter(Duration.ofDays(1)) : timetable);
            awaitLatch(at);
            schedule.stop(StopMode.INTERRUPT);
            assertTrue(schedule.waitForExit(Duration.ofSeconds(30)));
        }
    }

    // ---- faults

    @AllStrategies
    void anExceptionIsLoggedAndTheNextRunFollows(ThreadStrategy strategy) {
        for (boolean inChild : new boolean[] {false, true}) {
            var timetable = Timetable.withFixedDelay(SHORT).maxRuns(3);
            try (var log = new LogLines()) {
                var schedule = start(
                        strategy,
                        () -> {
                            throw new IllegalStateException("on purpose");
                        },
                        inChild ? timetable.interruptAfter(Duration.ofDays(1)) : timetable);
                assertTrue(schedule.waitForExit(Duration.ofSeconds(30)));
                assertFalse(log.with("on purpose").isEmpty());
            }
        }
    }

    @AllStrategies
    void aClockThatThrowsEndsTheSchedule(ThreadStrategy strategy) {
        for (int good = 1; good <= 3; good++) { // before the run, after it, and at an alarm
            var rate = Timetable.atFixedRate(SHORT);
            for (Timetable table : List.of(rate, rate.interruptAfter(Duration.ofDays(1)))) {
                var schedule = start(strategy, table.clock(failingAfter(good)));
                assertTrue(schedule.waitForExit(Duration.ofSeconds(30)), "good: " + good);
                assertEquals(Reason.FAILED, schedule.exit().join().reason());
            }
        }
        var e = assertThrows(
                IllegalStateException.class,
                () -> start(strategy, Timetable.atFixedRate(SHORT).clock(failingAfter(0))));
        assertInstanceOf(ArithmeticException.class, e.getCause());
    }

    /** A clock that stands still, and throws after this number of reads. */
    private static InstantSource failingAfter(int good) {
        var reads = new AtomicInteger();
        return () -> {
            if (reads.incrementAndGet() > good) {
                throw new ArithmeticException("on purpose");
            }
            return Instant.EPOCH;
        };
    }

    @AllStrategies
    void aFunctionThatReturnsAPastTimeEndsTheSchedule(ThreadStrategy strategy) {
        var calls = new AtomicInteger();
        try (var log = new LogLines()) {
            var schedule = start(strategy, Timetable.following(t -> calls.incrementAndGet() == 1 ? t.plusNanos(1) : t));
            assertTrue(schedule.waitForExit(Duration.ofSeconds(30)));
            assertEquals(Reason.FAILED, schedule.exit().join().reason());
            assertEquals(1, runs.get());
            assertFalse(log.with("must return a time after").isEmpty());
        }
    }

    @AllStrategies
    void aFunctionOrAClockThatThrowsEndsTheSchedule(ThreadStrategy strategy) {
        var calls = new AtomicInteger();
        var broken = new IllegalStateException("on purpose");
        var function = start(strategy, Timetable.following(t -> {
            if (calls.incrementAndGet() > 1) {
                throw broken;
            }
            return t.plusNanos(1);
        }));
        assertTrue(function.waitForExit(Duration.ofSeconds(30)));
        assertEquals(broken, function.exit().join().cause().getCause());
        var looks = new AtomicInteger();
        var clock = start(
                strategy,
                Timetable.dailyAt(ROME, LocalTime.NOON)
                        .clock(() -> {
                            if (looks.incrementAndGet() > 1) {
                                throw broken;
                            }
                            return Instant.parse("2026-06-01T00:00:00Z");
                        })
                        .lookEvery(SHORT));
        assertTrue(clock.waitForExit(Duration.ofSeconds(30)));
        assertEquals(broken, clock.exit().join().cause().getCause());
    }

    @Test
    void aStartThatFailsMakesNoActor() {
        var past = Timetable.following(t -> t);
        assertThrows(IllegalStateException.class, () -> start(ThreadStrategy.virtual(), past));
        var e = assertThrows(
                IllegalStateException.class,
                () -> start(ThreadStrategy.virtual(), Timetable.following(t -> t.minusSeconds(1))));
        assertTrue(e.getMessage().contains("must return a time after"), e.getMessage());
        assertInstanceOf(
                ArithmeticException.class,
                assertThrows(
                                IllegalStateException.class,
                                () -> start(ThreadStrategy.virtual(), Timetable.following(t -> {
                                    throw new ArithmeticException("on purpose");
                                })))
                        .getCause());
    }

    @Test
    void badInput() {
        for (Duration wrong : List.of(Duration.ZERO, Duration.ofNanos(-1))) {
            assertThrows(IllegalArgumentException.class, () -> Timetable.atFixedRate(wrong));
            assertThrows(IllegalArgumentException.class, () -> Timetable.withFixedDelay(wrong));
            var good = Timetable.atFixedRate(SHORT);
            assertThrows(IllegalArgumentException.class, () -> good.tolerance(wrong));
            assertThrows(IllegalArgumentException.class, () -> good.reportAfter(wrong));
            assertThrows(IllegalArgumentException.class, () -> good.interruptAfter(wrong));
        }
        var good = Timetable.atFixedRate(SHORT);
        assertThrows(IllegalArgumentException.class, () -> good.startAfter(Duration.ofNanos(-1)));
        assertThrows(IllegalArgumentException.class, () -> good.maxRuns(0));
        assertThrows(NullPointerException.class, () -> good.missed(null));
        assertThrows(NullPointerException.class, () -> good.clock(null));
        assertThrows(IllegalArgumentException.class, () -> Timetable.dailyAt(ROME));
        assertThrows(NullPointerException.class, () -> Timetable.dailyAt(ROME, (LocalTime) null));
        assertThrows(NullPointerException.class, () -> Timetable.dailyAt(null, LocalTime.NOON));
        assertThrows(NullPointerException.class, () -> Timetable.following(null));
        assertThrows(
                IllegalArgumentException.class,
                () -> Timetable.dailyAt(ROME, LocalTime.NOON).startAfter(SHORT));
        assertThrows(NullPointerException.class, () -> start(ThreadStrategy.virtual(), null, good));
    }

    @AllStrategies
    void aTimetableCanBeUsedForSeveralActors(ThreadStrategy strategy) {
        var timetable = Timetable.atFixedRate(SHORT).maxRuns(3);
        var all = new CopyOnWriteArrayList<Actor<Void>>();
        for (int i = 0; i < 3; i++) {
            all.add(start(strategy, timetable));
        }
        all.forEach(schedule -> assertTrue(schedule.waitForExit(Duration.ofSeconds(30))));
        assertEquals(9, runs.get());
    }
}
