package io.fibry.schedule;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.Actor;
import io.fibry.ActorExit.Reason;
import io.fibry.ActorSystem;
import io.fibry.StopMode;
import io.fibry.ThreadStrategy;
import io.fibry.ThrowingRunnable;
import io.fibry.testing.AllStrategies;
import io.fibry.testing.LogLines;
import io.fibry.testing.NoLeftovers;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(NoLeftovers.class)
@Timeout(value = 60, threadMode = ThreadMode.SEPARATE_THREAD)
class TimetableTest {

    private static final ZoneId ROME = ZoneId.of("Europe/Rome");
    private static final Duration SHORT = Duration.ofMillis(1);

    /** A clock that only the test moves. */
    private static final class TestClock implements InstantSource {
        final AtomicReference<Instant> now;

        TestClock(String start) {
            now = new AtomicReference<>(Instant.parse(start));
        }

        void advance(Duration time) {
            now.updateAndGet(t -> t.plus(time));
        }

        @Override
        public Instant instant() {
            return now.get();
        }
    }

    private final ActorSystem system = ActorSystem.create();
    private final AtomicInteger runs = new AtomicInteger();

    @AfterEach
    void close() {
        system.close();
    }

    private Actor<Void> start(ThreadStrategy strategy, Timetable timetable) {
        return start(strategy, runs::incrementAndGet, timetable);
    }

    private Actor<Void> start(ThreadStrategy strategy, ThrowingRunnable task, Timetable timetable) {
        return Schedule.start(system.actor().strategy(strategy), strategy, task, timetable);
    }

    private static void awaitLatch(CountDownLatch latch) throws InterruptedException {
        assertTrue(latch.await(30, TimeUnit.SECONDS));
    }

    private void awaitRuns(int n) {
        await().atMost(Duration.ofSeconds(30)).until(() -> runs.get() >= n);
        assertEquals(n, runs.get());
    }

    /** Until the clock has been looked at again, and nothing has come of it. */
    private static void settle(Actor<Void> schedule, AtomicInteger looks) {
        int before = looks.get();
        await().atMost(Duration.ofSeconds(30))
                .until(() -> looks.get() > before + 2 || schedule.exit().isDone());
    }

    // ---- times of day

    private static List<String> daily(String after, int count, LocalTime... times) {
        var daily = new DailyTimes(ROME, List.of(times));
        var next = new ArrayList<String>();
        Instant t = Instant.parse(after);
        for (int i = 0; i < count; i++) {
            t = daily.apply(t);
            next.add(t.atZone(ROME).toLocalDateTime() + " " + t.atZone(ROME).getOffset());
        }
        return next;
    }

    @Test
    void timesOfDayComeEveryDayInOrder() {
        assertEquals(
                List.of("2026-06-01T18:00 +02:00", "2026-06-02T06:00 +02:00", "2026-06-02T18:00 +02:00"),
                daily("2026-06-01T10:00:00Z", 3, LocalTime.of(18, 0), LocalTime.of(6, 0)));
        assertEquals(List.of("2026-06-02T06:00 +02:00"), daily("2026-06-01T04:00:00Z", 1, LocalTime.of(6, 0)));
    }

    @Test
    void whenTheClocksArePutForwardAMissingTimeComesLaterByAsMuch() {
        // On 29 March 2026, 2:00 is 3:00 in Rome
        assertEquals(
                List.of("2026-03-28T02:30 +01:00", "2026-03-29T03:30 +02:00", "2026-03-30T02:30 +02:00"),
                daily("2026-03-27T12:00:00Z", 3, LocalTime.of(2, 30)));
        assertEquals(
                List.of("2026-03-29T03:10 +02:00", "2026-03-29T03:30 +02:00", "2026-03-30T02:30 +02:00"),
                daily("2026-03-28T12:00:00Z", 3, LocalTime.of(2, 30), LocalTime.of(3, 10)));
        assertEquals(
                List.of("2026-03-29T03:30 +02:00", "2026-03-30T02:30 +02:00"),
                daily("2026-03-28T12:00:00Z", 2, LocalTime.of(2, 30), LocalTime.of(3, 30)),
                "two times that fall together are one");
    }

    @Test
    void whenTheClocksArePutBackATimeThatComesTwiceCountsOnce() {
        // On 25 October 2026, 3:00 is 2:00 in Rome
        assertEquals(
                List.of("2026-10-25T02:30 +02:00", "2026-10-26T02:30 +01:00"),
                daily("2026-10-24T12:00:00Z", 2, LocalTime.of(2, 30)));
        assertEquals(
                List.of("2026-10-26T02:30 +01:00"),
                daily("2026-10-25T00:45:00Z", 1, LocalTime.of(2, 30)),
                "between the two");
    }

    @Test
    void aWholeDayMayBeLeftOut() { // Samoa had no 30 December 2011
        ZoneId apia = ZoneId.of("Pacific/Apia");
        var daily = new DailyTimes(apia, List.of(LocalTime.NOON));
        Instant before = Instant.parse("2011-12-29T22:00:00Z"); // noon on the 29th
        assertEquals(
                "2011-12-31T12:00",
                daily.apply(before).atZone(apia).toLocalDateTime().toString());
    }

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

    // ---- what was missed

    @AllStrategies(direct = true)
    void aSuspendedLaptopRunsOnceForAllThatItHasMissed(ThreadStrategy strategy) {
        var clock = new TestClock("2026-06-01T00:00:00Z");
        var looks = new AtomicInteger();
        var schedule = start(
                strategy,
                Timetable.following(t -> t.plusSeconds(1))
                        .clock(() -> {
                            looks.incrementAndGet();
                            return clock.instant();
                        })
                        .lookEvery(SHORT));
        clock.advance(Duration.ofHours(10)); // 36,000 runs
        awaitRuns(1);
        settle(schedule, looks);
        awaitRuns(1);
        clock.advance(Duration.ofSeconds(1));
        awaitRuns(2);
    }

    @AllStrategies(direct = true)
    void aRateRunsOnceForAllThatItHasMissedToo(ThreadStrategy strategy) {
        var clock = new TestClock("2026-06-01T00:00:00Z");
        start(
                strategy,
                Timetable.atFixedRate(Duration.ofSeconds(1)).clock(clock).lookEvery(SHORT));
        awaitRuns(1);
        clock.advance(Duration.ofHours(10).plusMillis(500));
        awaitRuns(2);
        clock.advance(Duration.ofMillis(500));
        awaitRuns(3);
    }

    @AllStrategies(direct = true)
    void missedRunsAreLeftOutIfWished(ThreadStrategy strategy) {
        var clock = new TestClock("2026-06-01T00:00:00Z");
        var looks = new AtomicInteger();
        var schedule = start(
                strategy,
                Timetable.following(t -> nextHour(t))
                        .missed(MissedRuns.SKIP)
                        .tolerance(Duration.ofMinutes(5))
                        .clock(() -> {
                            looks.incrementAndGet();
                            return clock.instant();
                        })
                        .lookEvery(SHORT));
        clock.advance(Duration.ofHours(3).plusMinutes(30));
        settle(schedule, looks);
        awaitRuns(0);
        clock.advance(Duration.ofMinutes(34)); // 4:04, within the tolerance of 4:00
        awaitRuns(1);
        clock.advance(Duration.ofHours(5)); // 9:04, within that of 9:00
        awaitRuns(2);
    }

    private static Instant nextHour(Instant after) {
        return Instant.ofEpochSecond((after.getEpochSecond() / 3600 + 1) * 3600);
    }

    @AllStrategies(direct = true)
    void missedRunsAreMadeUpIfWished(ThreadStrategy strategy) {
        var clock = new TestClock("2026-06-01T00:00:00Z");
        start(
                strategy,
                Timetable.following(TimetableTest::nextHour)
                        .missed(MissedRuns.ALL)
                        .clock(clock)
                        .lookEvery(SHORT));
        clock.advance(Duration.ofHours(100).plusMinutes(30));
        awaitRuns(100);
        clock.advance(Duration.ofMinutes(30));
        awaitRuns(101);
    }

    @AllStrategies(direct = true)
    void aClockThatIsPutBackRepeatsNoRun(ThreadStrategy strategy) {
        var clock = new TestClock("2026-06-01T00:30:00Z");
        var looks = new AtomicInteger();
        var schedule = start(
                strategy,
                () -> {
                    runs.incrementAndGet();
                    clock.advance(Duration.ofMinutes(-20)); // during the run at 1:00
                },
                Timetable.following(TimetableTest::nextHour)
                        .clock(() -> {
                            looks.incrementAndGet();
                            return clock.instant();
                        })
                        .lookEvery(SHORT));
        clock.advance(Duration.ofMinutes(30));
        awaitRuns(1);
        clock.advance(Duration.ofMinutes(25)); // 1:05 again
        settle(schedule, looks);
        awaitRuns(1);
        clock.advance(Duration.ofHours(1));
        awaitRuns(2);
    }

    @Test
    void aRateKeepsToItsTimesAndLeavesOutWhatWasMissed() {
        Instant start = Instant.parse("2026-06-01T00:00:00Z");
        var plan = new Plan(Timetable.atFixedRate(Duration.ofSeconds(10)).values, start);
        assertEquals(start, plan.first());
        assertEquals(start.plusSeconds(10), plan.next(start, start));
        assertEquals(start.plusSeconds(10), plan.next(start, start.plusSeconds(9)));
        assertEquals(start.plusSeconds(20), plan.next(start, start.plusSeconds(10)));
        assertEquals(start.plusSeconds(40), plan.next(start, start.plusSeconds(35)));
    }

    @Test
    void aThousandYearsOfMissedRunsCostOneCall() {
        var calls = new AtomicInteger();
        Instant start = Instant.parse("2026-06-01T00:00:00Z");
        var plan = new Plan(
                Timetable.following(t -> {
                            calls.incrementAndGet();
                            return t.plusSeconds(1);
                        })
                        .values,
                start);
        Instant late = start.plus(Duration.ofDays(365_000));
        assertEquals(late.plusSeconds(1), plan.next(start.plusSeconds(1), late));
        assertEquals(2, calls.get());
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
        clock.advance(Duration.ofSeconds(9));
        settle(schedule, looks);
        awaitRuns(1);
        clock.advance(Duration.ofSeconds(1));
        awaitRuns(2);
    }

    @AllStrategies(direct = true)
    void theFirstRunMayComeLater(ThreadStrategy strategy) {
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
    void aRunThatTakesTooLongIsInterruptedIfWished(ThreadStrategy strategy) throws Exception {
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
        var atWork = new AtomicInteger();
        var most = new AtomicInteger();
        var schedule = start(
                strategy,
                () -> {
                    most.accumulateAndGet(atWork.incrementAndGet(), Math::max);
                    runs.incrementAndGet();
                    atWork.decrementAndGet();
                },
                Timetable.atFixedRate(Duration.ofNanos(1))
                        .interruptAfter(Duration.ofDays(1))
                        .maxRuns(50));
        assertTrue(schedule.waitForExit(Duration.ofSeconds(30)));
        assertEquals(50, runs.get());
        assertEquals(1, most.get());
    }

    @AllStrategies
    void aStopReachesTheRunAtWork(ThreadStrategy strategy) throws Exception {
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
    void aTaskThatThrowsIsLoggedAndTheNextRunComes(ThreadStrategy strategy) {
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
    void aTimetableMayBeUsedForSeveralActors(ThreadStrategy strategy) {
        var timetable = Timetable.atFixedRate(SHORT).maxRuns(3);
        var all = new CopyOnWriteArrayList<Actor<Void>>();
        for (int i = 0; i < 3; i++) {
            all.add(start(strategy, timetable));
        }
        all.forEach(schedule -> assertTrue(schedule.waitForExit(Duration.ofSeconds(30))));
        assertEquals(9, runs.get());
    }
}
