package io.fibry.pool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.ActorStoppedException;
import io.fibry.ActorSystem;
import io.fibry.StopMode;
import io.fibry.ThreadStrategy;
import io.fibry.testing.AllStrategies;
import io.fibry.testing.LogLines;
import io.fibry.testing.NoLeftovers;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Phaser;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(NoLeftovers.class)
@Timeout(value = 60, threadMode = ThreadMode.SEPARATE_THREAD) // a close that misses a connection would never end
class WorkersTest {

    @AllStrategies
    void messagesAreHandledInParallel(ThreadStrategy strategy) throws Exception {
        int n = 50;
        var all = new Phaser(n + 1);
        try (var system = ActorSystem.create()) {
            var workers = Workers.start(system.actor().strategy(strategy), (Integer i) -> all.arriveAndAwaitAdvance());
            for (int i = 0; i < n; i++) {
                workers.tell(i);
            }
            try {
                all.awaitAdvanceInterruptibly(all.arrive(), 30, TimeUnit.SECONDS); // until every handler is inside
            } finally {
                all.forceTermination();
            }
        }
    }

    @AllStrategies
    void aStopDrains(ThreadStrategy strategy) throws Exception {
        int n = 100;
        var go = new CountDownLatch(1);
        var handled = new AtomicInteger();
        try (var system = ActorSystem.create()) {
            var workers = Workers.start(system.actor().strategy(strategy), (Integer i) -> {
                await(go);
                handled.incrementAndGet();
            });
            for (int i = 0; i < n; i++) {
                workers.tell(i);
            }
            workers.stop();
            assertThrows(ActorStoppedException.class, () -> workers.tell(n));
            assertFalse(workers.exit().isDone());
            go.countDown();
            assertTrue(workers.waitForExit(Duration.ofSeconds(30)));
            assertEquals(n, handled.get());
        }
    }

    @AllStrategies
    void aFailureIsOfOneMessage(ThreadStrategy strategy) {
        var handled = new AtomicInteger();
        try (var log = new LogLines();
                var system = ActorSystem.create()) {
            var workers = Workers.start(system.actor().strategy(strategy), (Integer i) -> {
                if (i % 2 == 0) {
                    throw new IllegalStateException("on purpose");
                }
                handled.incrementAndGet();
            });
            for (int i = 0; i < 10; i++) {
                workers.tell(i);
            }
            workers.close();
            assertEquals(5, handled.get());
            assertEquals(5, log.with("IllegalStateException: on purpose").size());
        }
    }

    @AllStrategies
    void anInterruptReachesTheHandlers(ThreadStrategy strategy) throws Exception {
        var inside = new CountDownLatch(3);
        var never = new CountDownLatch(1);
        try (var system = ActorSystem.create()) {
            var workers = Workers.start(system.actor().strategy(strategy), (Integer i) -> {
                inside.countDown();
                await(never);
            });
            for (int i = 0; i < 3; i++) {
                workers.tell(i);
            }
            await(inside);
            workers.stop(StopMode.INTERRUPT);
            assertTrue(workers.waitForExit(Duration.ofSeconds(30)));
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
