package io.fibry.kernel;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.ActorSystem;
import io.fibry.ThreadStrategy;
import io.fibry.testing.AllStrategies;
import io.fibry.testing.Await;
import io.fibry.testing.Gate;
import io.fibry.testing.KernelTest;
import io.fibry.testing.UninterruptibleGate;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** The thread that keeps the JVM alive exists while a system is active, and retains no inactive system. */
class KeepAliveThreadTest extends KernelTest {

    private static boolean isThere() {
        return Thread.getAllStackTraces().keySet().stream()
                .anyMatch(thread -> thread.getName().equals("fibry-keep-alive") && !thread.isDaemon());
    }

    private static boolean watches(ActorSystem system) {
        return KeepAlive.watches((LocalSystem) system);
    }

    @AllStrategies
    void theThreadEndsWhenTheLastSystemIsClosed(ThreadStrategy strategy) {
        var gate = new Gate();
        var actor = actor(strategy).newActor((Integer n) -> gate.pass());
        actor.tell(1);
        assertTrue(watches(system));
        assertTrue(isThere());
        gate.open();
        system.close();
        assertFalse(watches(system));
        Await.until("no thread is left", () -> !isThere());
    }

    @AllStrategies
    void anAbandonedSystemIsNotWatched(ThreadStrategy strategy) {
        var other = ActorSystem.create(strategy);
        var uninterruptible = new UninterruptibleGate();
        var actor = other.actor().newActor((Integer n) -> uninterruptible.pass());
        actor.tell(1);
        uninterruptible.awaitReached();
        assertTrue(watches(other));
        Thread.currentThread().interrupt(); // for a quick close
        assertFalse(other.close(Duration.ofDays(1)));
        assertTrue(Thread.interrupted());
        assertFalse(watches(other));
        uninterruptible.open();
        Await.end(actor);
        Await.until("nothing of the system is left", () -> other.close(Await.LIMIT));
    }

    /** Without memory, a parked sender would keep its carrier thread, which the next owner of the lock may need. */
    @Test
    void aSenderDoesNotParkForTheLock() {
        var started = new CountDownLatch(1);
        Thread sender;
        KeepAlive.LOCK.lock();
        try {
            sender = Thread.startVirtualThread(() -> {
                started.countDown();
                KeepAlive.watch((LocalSystem) system);
            });
            Await.latch(started);
            long end = System.nanoTime() + Duration.ofMillis(100).toNanos();
            while (System.nanoTime() < end) {
                assertFalse(KeepAlive.LOCK.hasQueuedThread(sender));
                Thread.onSpinWait();
            }
        } finally {
            KeepAlive.LOCK.unlock();
        }
        Await.until("the sender continues", () -> !sender.isAlive());
    }

    @Test
    void anIdleSystemThatWasNotClosedIsGarbage() {
        List<WeakReference<ActorSystem>> systems = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            systems.add(new WeakReference<>(used(i % 2 == 0)));
        }
        Await.until("the systems are collected", () -> {
            System.gc();
            return systems.stream().allMatch(each -> each.refersTo(null));
        });
    }

    private static ActorSystem used(boolean virtual) {
        var system = ActorSystem.create(
                virtual ? ThreadStrategy.virtual() : ThreadStrategy.pool(Thread::startVirtualThread));
        var actor = system.actor().newActorWithReturn((Integer n) -> n);
        Await.value(actor.ask(1));
        return system;
    }
}
