package io.fibry.schedule;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.Actor;
import io.fibry.ThreadStrategy;
import io.fibry.ThrowingRunnable;
import io.fibry.testing.AllStrategies;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Missed runs, for instance while the computer was suspended. */
class MissedRunsTest extends TimetableCase {

    @AllStrategies(direct = true)
    void missedRunsAreCombinedIntoOneByDefault(ThreadStrategy strategy) {
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
    void missedRunsOfARateAreCombinedIntoOne(ThreadStrategy strategy) {
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
    void missedRunsCanBeSkipped(ThreadStrategy strategy) {
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
    void missedRunsCanBeMadeUp(ThreadStrategy strategy) {
        var clock = new TestClock("2026-06-01T00:00:00Z");
        start(
                strategy,
                Timetable.following(MissedRunsTest::nextHour)
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
                Timetable.following(MissedRunsTest::nextHour)
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
    void aRateKeepsItsTimesAndSkipsMissedRuns() {
        Instant start = Instant.parse("2026-06-01T00:00:00Z");
        var plan = new Plan(Timetable.atFixedRate(Duration.ofSeconds(10)).values, start);
        assertEquals(start, plan.first());
        assertEquals(start.plusSeconds(10), plan.next(start, start));
        assertEquals(start.plusSeconds(10), plan.next(start, start.plusSeconds(9)));
        assertEquals(start.plusSeconds(20), plan.next(start, start.plusSeconds(10)));
        assertEquals(start.plusSeconds(40), plan.next(start, start.plusSeconds(35)));
    }

    @Test
    void aClockThatIsPutBackBeforeTheStartKeepsTheTimesOfARate() {
        Instant now = Instant.parse("2026-06-01T00:00:00Z");
        Timetable daily = Timetable.atFixedRate(Duration.ofDays(1)).startAfter(Duration.ofHours(20));
        var plan = new Plan(daily.values, now);
        Instant start = now.plus(Duration.ofHours(20));
        assertEquals(start, plan.again(now.minus(Duration.ofHours(2))));
        assertEquals(start, plan.again(start.minus(Duration.ofDays(1))));
        assertEquals(start.plus(Duration.ofDays(1)), plan.again(start));
    }

    @Test
    void missedRunsOfAThousandYearsRequireOneCall() {
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

    @AllStrategies
    void aTickThatWaitsInTheMailboxStartsNoRunAfterAStop(ThreadStrategy strategy) throws Exception {
        var clock = new TestClock("2026-06-01T00:00:00Z");
        var self = new CompletableFuture<Actor<Void>>();
        ThrowingRunnable task = () -> {
            runs.incrementAndGet();
            Actor<Void> actor = self.join();
            actor.execute(actor::stop); // precedes the tick that is sent at the end of this run
            clock.advance(Duration.ofSeconds(10));
        };
        self.complete(start(
                strategy,
                task,
                Timetable.atFixedRate(Duration.ofSeconds(1)).clock(clock).missed(MissedRuns.ALL)));
        assertTrue(self.join().waitForExit(Duration.ofSeconds(30)));
        assertEquals(1, runs.get());
    }
}
