package io.fibry.pool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.Overflow;
import io.fibry.ThreadStrategy;
import io.fibry.ThrowingConsumer;
import io.fibry.testing.AllStrategies;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/** The order of messages that the behavior of a pool sends to the pool while it drains. The key is the last digit. */
class PoolDrainOrderTest extends PoolCase {

    private final CompletableFuture<WorkerPool<Integer, Integer>> self = new CompletableFuture<>();

    private static PoolOptions<Integer> keyed(int parallelism) {
        return PoolOptions.of(parallelism).keyed((Integer i) -> i % 10);
    }

    /** A pool that adds each message to {@link #begun}, and then passes it to the handler. */
    private WorkerPool<Integer, Integer> pool(
            ThreadStrategy strategy, PoolOptions<? super Integer> options, ThrowingConsumer<Integer> handler) {
        WorkerPool<Integer, Integer> pool = WorkerPool.startWithReturn(
                system.actor().strategy(strategy),
                (Integer i) -> {
                    begun.add(i);
                    handler.accept(i);
                    return i;
                },
                options);
        self.complete(pool);
        return pool;
    }

    /** Asserts the order of 10 and 20, which are in the mailbox, and that a message and code of the behavior follow. */
    private void assertFollowsTheMailbox(
            ThreadStrategy strategy, PoolOptions<? super Integer> options, int first, int second) {
        var pool = pool(strategy, options, i -> {
            gate.acquire();
            if (i == 0) {
                self.join().tell(30);
                self.join().execute(() -> begun.add(40));
                gate.acquire();
            }
        });
        pool.tell(0);
        awaitBegun(1);
        pool.tell(10);
        pool.tell(20);
        pool.stop();
        gate.release();
        until(() -> pool.stats().waiting() == 4);
        gate.release(100);
        assertTrue(pool.waitForExit(Duration.ofSeconds(30)));
        assertEquals(List.of(0, first, second, 30, 40), begun);
    }

    @AllStrategies
    void aMessageFollowsTheMailbox(ThreadStrategy strategy) {
        assertFollowsTheMailbox(strategy, PoolOptions.of(1), 10, 20);
    }

    @AllStrategies
    void aMessageWithAPriorityFollowsTheMailbox(ThreadStrategy strategy) {
        assertFollowsTheMailbox(strategy, PoolOptions.of(1).priority(Comparator.<Integer>reverseOrder()), 20, 10);
    }

    @AllStrategies
    void aMessageWithAKeyFollowsTheMailbox(ThreadStrategy strategy) {
        assertFollowsTheMailbox(strategy, keyed(1), 10, 20);
    }

    /** If the pool took message 13 before 3 had a worker, the function of the key would wait until one is idle. */
    @AllStrategies
    void aMessageDoesNotOvertakeAnEarlierOneWithItsKey(ThreadStrategy strategy) {
        var calls = new ConcurrentHashMap<Integer, Integer>();
        var entered = new CountDownLatch(1);
        var isIdle = new CompletableFuture<Void>();
        var first = new CompletableFuture<Void>();
        var second = new CompletableFuture<Void>();
        PoolOptions<Integer> options = PoolOptions.of(2).keyed((Integer i) -> {
            calls.merge(i, 1, Integer::sum);
            if (i == 13) {
                entered.countDown();
                isIdle.join();
            }
            return i % 10;
        });
        var pool = pool(strategy, options, i -> {
            if (i == 1) {
                gate.acquire();
                self.join().tell(3);
                self.join().tell(13);
                first.join();
            } else if (i == 2) {
                second.join();
            }
        });
        try {
            pool.tell(1);
            pool.tell(2);
            awaitBegun(2);
            pool.stop();
            gate.release();
            until(() -> entered.getCount() == 0 || pool.stats().waiting() == 2);
            second.complete(null);
            until(() -> pool.stats().done() >= 1);
            isIdle.complete(null);
            first.complete(null);
            assertTrue(pool.waitForExit(Duration.ofSeconds(30)));
            assertEquals(List.of(3, 13), begun.stream().filter(i -> i % 10 == 3).toList());
            assertEquals(Map.of(1, 1, 2, 1, 3, 1, 13, 1), calls);
        } finally {
            isIdle.complete(null);
            first.complete(null);
            second.complete(null);
        }
    }

    @AllStrategies
    void cancelledAsksDoNotKeepALaterMessageWaiting(ThreadStrategy strategy) {
        List<CompletableFuture<Integer>> asks = new CopyOnWriteArrayList<>();
        var pool = pool(strategy, PoolOptions.of(1), i -> {
            gate.acquire();
            if (i == 0) {
                asks.add(self.join().ask(1));
                asks.add(self.join().ask(2));
                asks.add(self.join().ask(3));
                self.join().tell(4);
                gate.acquire();
            }
        });
        pool.tell(0);
        awaitBegun(1);
        pool.stop();
        gate.release();
        until(() -> pool.stats().waiting() == 4);
        asks.forEach(ask -> ask.cancel(false));
        gate.release(100);
        assertTrue(pool.waitForExit(Duration.ofSeconds(30)));
        assertEquals(List.of(0, 4), begun);
        assertEquals(0, system.stats().dead());
    }

    @AllStrategies
    void aTimeoutNamesThePlaceOfAnAskOfTheBehavior(ThreadStrategy strategy) {
        var ask = new CompletableFuture<CompletableFuture<Integer>>();
        var options = PoolOptions.of(1).bounded(10, Overflow.FAIL); // the time begins when the message has been sent
        var pool = pool(strategy, options, i -> {
            gate.acquire();
            if (i == 0) {
                ask.complete(self.join().ask(20, Duration.ofMillis(1)));
                gate.acquire();
            }
        });
        pool.tell(0);
        awaitBegun(1);
        pool.tell(10);
        pool.stop();
        gate.release();
        String text = failure(ask.join()).getMessage();
        assertTrue(text.contains("the message is number 1 in the mailbox"), text);
    }

    /** A message sends many others, with random keys, while messages wait in the mailbox. */
    @AllStrategies
    void equalKeysAreInOrder(ThreadStrategy strategy) {
        for (int seed = 0; seed < 10; seed++) {
            assertInOrder(strategy, seed);
        }
    }

    private void assertInOrder(ThreadStrategy strategy, int seed) {
        var random = new Random(seed);
        var sent = new ArrayList<Integer>();
        for (int i = 1; i <= 340; i++) {
            sent.add(10 * i + 1 + random.nextInt(4));
        }
        var started = new CountDownLatch(1);
        var isStopped = new CompletableFuture<Void>();
        var own = new CompletableFuture<WorkerPool<Integer, Void>>();
        var last = new ConcurrentHashMap<Integer, Integer>();
        var overtaken = new AtomicInteger();
        WorkerPool<Integer, Void> pool = WorkerPool.start(
                system.actor().strategy(strategy),
                (Integer i) -> {
                    if (i == 0) {
                        started.countDown();
                        isStopped.join();
                        sent.subList(40, sent.size()).forEach(own.join()::tell);
                        return;
                    }
                    Integer before = last.put(i % 10, i);
                    if (before != null && before > i) {
                        overtaken.incrementAndGet();
                    }
                },
                keyed(3).bounded(128, Overflow.BLOCK));
        own.complete(pool);
        pool.tell(0);
        until(() -> started.getCount() == 0);
        sent.subList(0, 40).forEach(pool::tell);
        pool.stop();
        isStopped.complete(null);
        assertTrue(pool.waitForExit(Duration.ofSeconds(30)));
        assertEquals(0, overtaken.get(), "with the seed " + seed);
        assertEquals(1 + sent.size(), pool.stats().done());
    }
}
