package io.fibry.dispatch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The shared alarm clock.
 *
 * <p>Seen to fail: an alarm that keeps its action after it was cancelled; one that fires after its cancellation; one
 * whose action runs on the clock's thread, or on one with another action that blocks; a timer that parks after another
 * thread has unparked it.
 */
@Timeout(60)
class AlarmTest {

    private static final long HOUR = Duration.ofHours(1).toNanos();

    @Test
    void ringsOnAPlatformThreadOfTheLibrary() throws Exception {
        var thread = new CompletableFuture<Thread>();
        new Alarm().start(1, () -> thread.complete(Thread.currentThread()));
        assertFalse(thread.get(30, TimeUnit.SECONDS).isVirtual());
        assertEquals("fibry-timeouts", thread.get().getName());
        assertTrue(thread.get().isDaemon());
    }

    @Test
    void anAlarmInThePastFiresAtOnce() throws Exception {
        var rung = new CountDownLatch(2);
        new Alarm().start(-1, rung::countDown);
        new Alarm().startBrief(Long.MIN_VALUE, rung::countDown);
        assertTrue(rung.await(30, TimeUnit.SECONDS));
    }

    /** Without the action, the backoff would never end, or the ask would never fail. */
    @Test
    void anActionThatRunsOutOfMemoryIsRepeated() throws Exception {
        var left = new CountDownLatch(3);
        new Alarm().start(1, () -> {
            left.countDown();
            if (left.getCount() > 0) {
                throw new OutOfMemoryError("simulated");
            }
        });
        assertTrue(left.await(30, TimeUnit.SECONDS));
    }

    @Test
    void aBlockingActionDoesNotBlockTheClock() throws Exception {
        var blocked = new CountDownLatch(1);
        var open = new CountDownLatch(1);
        new Alarm().start(1, () -> {
            blocked.countDown();
            try {
                open.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        try {
            assertTrue(blocked.await(30, TimeUnit.SECONDS));
            var other = new CompletableFuture<Integer>().completeOnTimeout(1, 1, TimeUnit.MILLISECONDS);
            assertEquals(1, other.get(30, TimeUnit.SECONDS));
        } finally {
            open.countDown();
        }
    }

    @Test
    void blockingActionsDoNotDelayOtherAlarms() throws Exception {
        int many = 20;
        var blocked = new CountDownLatch(many);
        var open = new CountDownLatch(1);
        for (int i = 0; i < many; i++) {
            new Alarm().start(1, () -> {
                blocked.countDown();
                try {
                    open.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            });
        }
        try {
            assertTrue(blocked.await(30, TimeUnit.SECONDS));
            var rung = new CountDownLatch(1);
            new Alarm().start(1, rung::countDown);
            assertTrue(rung.await(30, TimeUnit.SECONDS));
        } finally {
            open.countDown();
        }
    }

    @Test
    void anExceptionOrInterruptOfAnActionAffectsNoOther() throws Exception {
        var rung = new CountDownLatch(100);
        for (int i = 0; i < 100; i++) {
            new Alarm().start(1, () -> {
                rung.countDown();
                Thread.currentThread().interrupt();
                throw new IllegalStateException("thrown on purpose");
            });
        }
        assertTrue(rung.await(30, TimeUnit.SECONDS));
        var interrupted = new CompletableFuture<Boolean>();
        new Alarm().start(1, () -> interrupted.complete(Thread.currentThread().isInterrupted()));
        assertFalse(interrupted.get(30, TimeUnit.SECONDS));
    }

    @Test
    void theThreadsEndWhenTheyAreIdle() throws Exception {
        var thread = new CompletableFuture<Thread>();
        new Alarm().start(1, () -> thread.complete(Thread.currentThread()));
        assertTrue(thread.get(30, TimeUnit.SECONDS).join(Duration.ofSeconds(30)));
        var next = new CountDownLatch(1);
        new Alarm().start(1, next::countDown);
        assertTrue(next.await(30, TimeUnit.SECONDS));
    }

    @Test
    void aCancelledAlarmDoesNotFire() {
        var rung = new AtomicBoolean();
        var started = new Alarm();
        started.startBrief(HOUR, () -> rung.set(true));
        started.cancel();
        started.cancel();
        var notStarted = new Alarm();
        notStarted.cancel();
        notStarted.startBrief(0, () -> rung.set(true));
        assertFalse(rung.get());
    }

    @Test
    void anAlarmMayBeStartedAgainByItsAction() throws Exception {
        var rung = new CountDownLatch(100);
        var alarm = new Alarm();
        alarm.start(1, new Runnable() {
            @Override
            public void run() {
                rung.countDown();
                alarm.startBrief(1, this);
            }
        });
        assertTrue(rung.await(30, TimeUnit.SECONDS));
        alarm.cancel();
    }

    @Test
    void aRunningAlarmCannotBeStarted() {
        var alarm = new Alarm();
        alarm.startBrief(HOUR, () -> {});
        assertThrows(IllegalStateException.class, () -> alarm.start(1, () -> {}));
        alarm.cancel();
    }

    @Test
    void neverFiresEarly() throws Exception {
        var early = new AtomicBoolean();
        var rung = new CountDownLatch(2_000);
        var random = new Random(7);
        for (int i = 0; i < 2_000; i++) {
            long nanos = random.nextInt(200_000_000);
            long due = System.nanoTime() + nanos;
            new Alarm().startBrief(nanos, () -> {
                early.compareAndSet(false, System.nanoTime() - due < 0);
                rung.countDown();
            });
        }
        assertTrue(rung.await(30, TimeUnit.SECONDS));
        assertFalse(early.get());
    }

    /** Several threads start alarms, brief and others, while the timer parks, fires and waits for locks. */
    @Test
    void eachAlarmFiresUnlessItIsCancelled() throws Exception {
        int starters = 4;
        int rounds = 5_000;
        var fired = new AtomicInteger();
        var cancelled = new AtomicInteger();
        List<Thread> threads = new ArrayList<>();
        for (int t = 0; t < starters; t++) {
            var random = new Random(t);
            threads.add(Thread.ofPlatform().start(() -> {
                for (int i = 0; i < rounds; i++) {
                    var done = new CountDownLatch(1);
                    var alarm = new Alarm();
                    Runnable action = () -> {
                        fired.incrementAndGet();
                        done.countDown();
                    };
                    long nanos = random.nextInt(1_000);
                    if (random.nextBoolean()) {
                        alarm.start(nanos, action);
                    } else {
                        alarm.startBrief(nanos, action);
                    }
                    if (random.nextInt(4) > 0) {
                        alarm.cancel();
                        cancelled.incrementAndGet();
                    } else if (random.nextInt(50) == 0 && !await(done)) {
                        return;
                    }
                }
            }));
        }
        for (Thread thread : threads) {
            thread.join();
        }
        int started = starters * rounds;
        Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> fired.get() >= started - cancelled.get());
        assertTrue(fired.get() <= started);
    }

    /** Any thread may cancel an alarm while it starts itself again. */
    @Test
    void anAlarmThatStartsItselfAgainCanBeCancelled() throws Exception {
        var random = new Random(1);
        for (int i = 0; i < 2_000; i++) {
            var alarm = new Periodic(random.nextBoolean());
            alarm.startAt(Time.nanos(), alarm.isBrief);
            if (random.nextBoolean()) {
                assertTrue(await(alarm.firedTwice));
            }
            alarm.cancel();
            cancelledPeriodic.add(alarm);
        }
        // The last of them fires after all earlier ones that could still fire.
        var done = new CountDownLatch(1);
        new Alarm().start(0, done::countDown);
        assertTrue(await(done));
        Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> {
            List<Integer> before = firings();
            var later = new CountDownLatch(1);
            new Alarm().start(0, later::countDown);
            return await(later) && before.equals(firings());
        });
    }

    private final List<Periodic> cancelledPeriodic = new ArrayList<>();

    private List<Integer> firings() {
        return cancelledPeriodic.stream().map(alarm -> alarm.firings.get()).toList();
    }

    private static final class Periodic extends Alarm {
        final CountDownLatch firedTwice = new CountDownLatch(2);
        final AtomicInteger firings = new AtomicInteger();
        final boolean isBrief;

        Periodic(boolean isBrief) {
            this.isBrief = isBrief;
        }

        @Override
        public void fire() {
            firings.incrementAndGet();
            firedTwice.countDown();
            startAt(Time.nanos(), isBrief);
        }
    }

    /** The timer waits for the lock of the other threads, and must not lose a wake-up that comes meanwhile. */
    @Test
    void aLockOfTheTimerConsumesNoWakeUp() throws Exception {
        var over = new AtomicBoolean();
        Runnable contend = () -> {
            while (!over.get()) {
                AlarmThreads.run(new Alarm());
            }
        };
        List<Thread> contenders =
                List.of(Thread.ofPlatform().start(contend), Thread.ofPlatform().start(contend));
        try {
            for (int i = 0; i < 500; i++) {
                var first = new CountDownLatch(1);
                var second = new CountDownLatch(1);
                new Alarm().start(0, first::countDown);
                LockSupport.parkNanos(2_000L * i);
                new Alarm().start(0, second::countDown);
                assertTrue(first.await(30, TimeUnit.SECONDS));
                assertTrue(second.await(30, TimeUnit.SECONDS));
            }
        } finally {
            over.set(true);
            for (Thread contender : contenders) {
                contender.join();
            }
        }
    }

    private static boolean await(CountDownLatch done) {
        try {
            return done.await(30, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    @Test
    void theClockDoesNotRetainCancelledAlarms() {
        var forgotten = startAndCancel();
        Awaitility.await().atMost(Duration.ofSeconds(30)).untilAsserted(() -> {
            System.gc();
            assertNull(forgotten.get());
        });
    }

    private static WeakReference<Object> startAndCancel() {
        Object held = new Object();
        var alarm = new Alarm();
        alarm.start(HOUR, () -> assertNotNull(held));
        alarm.cancel();
        return new WeakReference<>(held);
    }
}
