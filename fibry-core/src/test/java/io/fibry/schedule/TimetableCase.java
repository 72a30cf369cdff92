package io.fibry.schedule;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.Actor;
import io.fibry.ActorSystem;
import io.fibry.ThreadStrategy;
import io.fibry.ThrowingRunnable;
import io.fibry.testing.NoLeftovers;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneId;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.extension.ExtendWith;

/** A system, a clock that the test moves, and a count of runs. */
@ExtendWith(NoLeftovers.class)
@Timeout(value = 60, threadMode = ThreadMode.SEPARATE_THREAD)
abstract class TimetableCase {

    static final ZoneId ROME = ZoneId.of("Europe/Rome");
    static final Duration SHORT = Duration.ofMillis(1);

    /** A clock that only the test moves. */
    static final class TestClock implements InstantSource {
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

    final ActorSystem system = ActorSystem.create();
    final AtomicInteger runs = new AtomicInteger();

    @AfterEach
    void close() {
        system.close();
    }

    Actor<Void> start(ThreadStrategy strategy, Timetable timetable) {
        return start(strategy, runs::incrementAndGet, timetable);
    }

    Actor<Void> start(ThreadStrategy strategy, ThrowingRunnable task, Timetable timetable) {
        return Schedule.start(system.actor().strategy(strategy), task, timetable);
    }

    static void awaitLatch(CountDownLatch latch) throws InterruptedException {
        assertTrue(latch.await(30, TimeUnit.SECONDS));
    }

    void awaitRuns(int n) {
        await().atMost(Duration.ofSeconds(30)).until(() -> runs.get() >= n);
        assertEquals(n, runs.get());
    }

    /** Waits until the clock has been read again, and no run has started. */
    static void settle(Actor<Void> schedule, AtomicInteger looks) {
        int before = looks.get();
        await().atMost(Duration.ofSeconds(30))
                .until(() -> looks.get() > before + 2 || schedule.exit().isDone());
    }
}
