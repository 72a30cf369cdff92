package io.fibry.schedule;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.Actor;
import io.fibry.ActorSystem;
import io.fibry.ThreadStrategy;
import io.fibry.ThrowingRunnable;
import io.fibry.testing.AllStrategies;
import io.fibry.testing.LogLines;
import io.fibry.testing.NoLeftovers;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(NoLeftovers.class)
@Timeout(60)
class ScheduleTest {

    private static final Duration SHORT = Duration.ofMillis(1);
    private static final Duration LONG = Duration.ofDays(365_000L * 365);

    private static Actor<Void> start(
            ActorSystem system, ThreadStrategy strategy, ThrowingRunnable task, Duration period) {
        return Schedule.start(system.actor().strategy(strategy), task, Timetable.atFixedRate(period));
    }

    @AllStrategies
    void runsAtOnceAndThenAgain(ThreadStrategy strategy) throws Exception {
        var first = new CountDownLatch(1);
        var several = new CountDownLatch(5);
        try (var system = ActorSystem.create()) {
            start(system, strategy, first::countDown, LONG);
            start(system, strategy, several::countDown, SHORT);
            assertTrue(first.await(30, TimeUnit.SECONDS));
            assertTrue(several.await(30, TimeUnit.SECONDS));
        }
    }

    @AllStrategies
    void neverOverlapsWithItself(ThreadStrategy strategy) throws Exception {
        var running = new AtomicBoolean();
        var overlapped = new AtomicBoolean();
        var runs = new CountDownLatch(200);
        try (var system = ActorSystem.create()) {
            Runnable task = () -> {
                overlapped.compareAndSet(false, !running.compareAndSet(false, true));
                Thread.onSpinWait();
                running.set(false);
                runs.countDown();
            };
            var actor = start(system, strategy, task::run, Duration.ofNanos(1));
            for (int i = 0; i < 100; i++) {
                actor.execute(task);
            }
            assertTrue(runs.await(30, TimeUnit.SECONDS));
        }
        assertFalse(overlapped.get());
    }

    @AllStrategies
    void anExceptionIsLoggedAndTheNextRunFollows(ThreadStrategy strategy) throws Exception {
        var runs = new CountDownLatch(3);
        try (var log = new LogLines();
                var system = ActorSystem.create()) {
            var actor = start(
                    system,
                    strategy,
                    () -> {
                        runs.countDown();
                        throw new IllegalStateException("on purpose");
                    },
                    SHORT);
            assertTrue(runs.await(30, TimeUnit.SECONDS));
            actor.close();
            assertFalse(log.with("Actor " + actor.name() + " failed").isEmpty());
        }
    }

    @Test
    void aPeriodIsPositive() {
        try (var system = ActorSystem.create()) {
            for (Duration wrong : new Duration[] {Duration.ZERO, Duration.ofNanos(-1), Duration.ofDays(-1)}) {
                var e = assertThrows(
                        IllegalArgumentException.class, () -> start(system, ThreadStrategy.virtual(), () -> {}, wrong));
                assertTrue(e.getMessage().contains("positive"), e.getMessage());
            }
        }
    }

    @AllStrategies
    void noRunFollowsTheEnd(ThreadStrategy strategy) throws Exception {
        try (var system = ActorSystem.create()) {
            for (int i = 0; i < 200; i++) { // the stop races with a tick in each of its states
                var ended = new AtomicBoolean();
                var late = new AtomicInteger();
                var first = new CountDownLatch(1);
                var actor = start(
                        system,
                        strategy,
                        () -> {
                            first.countDown();
                            late.addAndGet(ended.get() ? 1 : 0);
                        },
                        Duration.ofNanos(10_000));
                assertTrue(first.await(30, TimeUnit.SECONDS));
                actor.close();
                ended.set(true);
                assertEquals(0, late.get());
                assertTrue(actor.exit().join().isNormal());
            }
        }
    }

    @AllStrategies
    void theTaskCanStopItsOwnActor(ThreadStrategy strategy) {
        var runs = new AtomicInteger();
        var self = new CompletableFuture<Actor<Void>>();
        try (var system = ActorSystem.create()) {
            self.complete(start(
                    system,
                    strategy,
                    () -> {
                        runs.incrementAndGet();
                        self.join().stop();
                    },
                    SHORT));
            assertTrue(self.join().waitForExit(Duration.ofSeconds(30)));
            assertEquals(1, runs.get());
        }
    }

    /** All timeouts of the JDK's futures depend on one thread. */
    @Test
    void aTaskThatItsExecutorRunsOnTheCallerDoesNotKeepTheClock() throws Exception {
        var caller = Thread.currentThread();
        var begun = new CountDownLatch(1);
        var open = new CountDownLatch(1);
        try (var system = ActorSystem.create()) {
            start(
                    system,
                    ThreadStrategy.pool(Runnable::run),
                    () -> { // the caller runs the first time, and again if another run is due by then
                        if (!Thread.currentThread().equals(caller)) {
                            begun.countDown();
                            await(open);
                        }
                    },
                    SHORT);
            try {
                assertTrue(begun.await(30, TimeUnit.SECONDS));
                var other = new CompletableFuture<Integer>().orTimeout(1, TimeUnit.MILLISECONDS);
                var e = assertThrows(ExecutionException.class, () -> other.get(30, TimeUnit.SECONDS));
                assertInstanceOf(TimeoutException.class, e.getCause());
            } finally {
                open.countDown();
            }
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @AllStrategies
    void theTimerDoesNotRetainStoppedSchedules(ThreadStrategy strategy) throws Exception {
        var ran = new CountDownLatch(1);
        try (var system = ActorSystem.create()) {
            var forgotten = startAndStop(system, strategy, ran);
            // not an assertion: a failed one would retain the object in its error, and Awaitility the error
            Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> {
                System.gc();
                return forgotten.get() == null;
            });
        }
    }

    private static WeakReference<Object> startAndStop(ActorSystem system, ThreadStrategy strategy, CountDownLatch ran)
            throws InterruptedException {
        Object held = new Object();
        var actor = start(
                system,
                strategy,
                () -> {
                    assertTrue(held.hashCode() != 0 || ran.getCount() >= 0);
                    ran.countDown();
                },
                Duration.ofHours(1));
        assertTrue(ran.await(30, TimeUnit.SECONDS));
        var planned = new CountDownLatch(1);
        actor.execute(planned::countDown); // behind the tick, so the next one has been planned
        assertTrue(planned.await(30, TimeUnit.SECONDS));
        actor.close();
        return new WeakReference<>(held);
    }
}
