package io.fibry.pool;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.ActorSystem;
import io.fibry.ThreadStrategy;
import io.fibry.testing.NoLeftovers;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.extension.ExtendWith;

/** A fixture for tests of worker pools: a system, and a behavior that waits for permits. */
@ExtendWith(NoLeftovers.class)
@Timeout(value = 60, threadMode = ThreadMode.SEPARATE_THREAD)
abstract class PoolCase {

    static final Duration LONG = Duration.ofDays(1);

    final ActorSystem system = ActorSystem.create();

    /** Each handler of {@link #gated} waits for one permit. */
    final Semaphore gate = new Semaphore(0);

    final List<Integer> begun = new CopyOnWriteArrayList<>();
    final List<Integer> ended = new CopyOnWriteArrayList<>();

    @AfterEach
    void close() {
        gate.release(1_000_000);
        system.close();
    }

    /** A pool that replies with the number. */
    WorkerPool<Integer, Integer> gated(ThreadStrategy strategy, PoolOptions<? super Integer> options) {
        return WorkerPool.startWithReturn(
                system.actor().strategy(strategy),
                (Integer i) -> {
                    begun.add(i);
                    gate.acquire();
                    ended.add(i);
                    return i;
                },
                options);
    }

    static void until(Callable<Boolean> condition) {
        await().atMost(Duration.ofSeconds(30)).until(condition);
    }

    void awaitBegun(int n) {
        until(() -> begun.size() == n);
    }

    static <T> T value(CompletableFuture<T> future) throws Exception {
        return future.get(30, TimeUnit.SECONDS);
    }

    static Throwable failure(CompletableFuture<?> future) {
        return assertThrows(ExecutionException.class, () -> future.get(30, TimeUnit.SECONDS))
                .getCause();
    }

    static void joinAll(List<Thread> threads) throws InterruptedException {
        for (Thread thread : threads) {
            assertTrue(thread.join(Duration.ofSeconds(30)));
        }
    }
}
