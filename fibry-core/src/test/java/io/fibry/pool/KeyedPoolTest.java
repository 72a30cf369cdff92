package io.fibry.pool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.MailboxFullException;
import io.fibry.Overflow;
import io.fibry.StopMode;
import io.fibry.ThreadStrategy;
import io.fibry.testing.AllStrategies;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

/** Messages with the key: their last digit. */
class KeyedPoolTest extends PoolCase {

    private static PoolOptions<Integer> options(int parallelism) {
        return PoolOptions.of(parallelism).keyed((Integer i) -> i % 10);
    }

    @AllStrategies
    void equalKeysAreInOrderAndOthersAtTheSameTime(ThreadStrategy strategy) {
        var pool = gated(strategy, options(4));
        for (int i : new int[] {1, 11, 21, 2, 12, 3}) {
            pool.tell(i);
        }
        awaitBegun(3);
        assertEquals(List.of(1, 2, 3), begun.stream().sorted().toList());
        until(() -> pool.stats().equals(new PoolStats(3, 3, 0, 0)));
        gate.release(100);
        pool.close();
        assertEquals(List.of(1, 11, 21), ended.stream().filter(i -> i % 10 == 1).toList());
        assertEquals(List.of(2, 12), ended.stream().filter(i -> i % 10 == 2).toList());
        assertEquals(new PoolStats(0, 0, 6, 0), pool.stats());
    }

    @AllStrategies
    void everyPairOfKeysRunsAtTheSameTime(ThreadStrategy strategy) {
        var pool = gated(strategy, options(2));
        for (int other = 1; other < 10; other++) {
            begun.clear();
            pool.tell(0);
            pool.tell(other);
            awaitBegun(2);
            gate.release(2);
            until(() -> pool.stats().running() == 0);
        }
    }

    @AllStrategies
    void theLimitIsNeverExceededAndOrderIsKept(ThreadStrategy strategy) throws Exception {
        var running = new AtomicInteger();
        var most = new AtomicInteger();
        var last = new ConcurrentHashMap<Integer, Integer>();
        var wrong = new AtomicInteger();
        var working = ConcurrentHashMap.<Integer>newKeySet();
        WorkerPool<Integer, Void> pool = WorkerPool.start(
                system.actor().strategy(strategy),
                (Integer i) -> {
                    most.accumulateAndGet(running.incrementAndGet(), Math::max);
                    if (!working.add(i % 10)) {
                        wrong.incrementAndGet();
                    }
                    if (i % 3 == 0) {
                        LockSupport.parkNanos(1);
                    }
                    Integer before = last.put(i % 10, i);
                    if (before != null && before > i) {
                        wrong.incrementAndGet();
                    }
                    working.remove(i % 10);
                    running.decrementAndGet();
                },
                options(3).bounded(8, Overflow.BLOCK));
        var senders = new ArrayList<Thread>();
        for (int s = 0; s < 4; s++) {
            int sender = s; // each has two or three keys of its own
            senders.add(Thread.startVirtualThread(() ->
                    IntStream.range(0, 2_000).filter(i -> i % 10 % 4 == sender).forEach(pool::tell)));
        }
        joinAll(senders);
        assertTrue(pool.close(Duration.ofSeconds(30)));
        assertEquals(0, wrong.get());
        assertTrue(most.get() <= 3, most + " at a time");
        assertEquals(new PoolStats(0, 0, 2_000, 0), pool.stats());
    }

    @AllStrategies
    void oneKeyFillsThePool(ThreadStrategy strategy) throws Exception {
        var pool = gated(strategy, options(2).bounded(4, Overflow.FAIL));
        pool.tell(1);
        awaitBegun(1);
        int accepted = 0;
        while (accepted < 100) {
            var sent = pool.ask(11);
            if (sent.isDone()) {
                assertInstanceOf(MailboxFullException.class, failure(sent));
                if (pool.stats().waiting() == 4) {
                    break;
                }
            } else {
                accepted++;
            }
            int expected = Math.min(accepted, 4);
            until(() -> pool.stats().waiting() == expected);
        }
        assertEquals(4, accepted);
        gate.release(100);
        pool.close();
        assertEquals(5, ended.size());
    }

    @AllStrategies
    void aCancelledAskIsSkippedInItsLane(ThreadStrategy strategy) throws Exception {
        var pool = gated(strategy, options(2));
        pool.tell(1);
        awaitBegun(1);
        var givenUp = pool.ask(11);
        var last = pool.ask(21);
        until(() -> pool.mailboxSize().orElseThrow() == 0);
        givenUp.cancel(false);
        gate.release(2);
        assertEquals(21, value(last));
        assertFalse(begun.contains(11));
        until(() -> pool.stats().equals(new PoolStats(0, 0, 2, 0)));
    }

    @AllStrategies
    void messagesWaitingInALaneAreDiscarded(ThreadStrategy strategy) {
        var pool = gated(strategy, options(2));
        IntStream.range(0, 5).forEach(i -> pool.tell(10 * i));
        awaitBegun(1);
        until(() -> pool.mailboxSize().orElseThrow() == 0);
        pool.stop(StopMode.DISCARD);
        gate.release(100);
        pool.waitForExit();
        assertEquals(List.of(0), ended);
        assertEquals(4, system.stats().dead());
    }

    @AllStrategies
    void codeHasNoKey(ThreadStrategy strategy) {
        var pool = gated(strategy, options(2));
        pool.tell(1);
        awaitBegun(1);
        pool.execute(() -> ended.add(100));
        until(() -> ended.contains(100));
    }

    @AllStrategies
    void aFailingKeyFunctionIsAFailureOfItsMessage(ThreadStrategy strategy) throws Exception {
        WorkerPool<Integer, Integer> pool = WorkerPool.startWithReturn(
                system.actor().strategy(strategy),
                (Integer i) -> i,
                PoolOptions.of(1).keyed((Integer i) -> i == 0 ? null : 10 / (i - 1)));
        assertInstanceOf(NullPointerException.class, failure(pool.ask(0)));
        assertInstanceOf(ArithmeticException.class, failure(pool.ask(1)));
        assertEquals(2, value(pool.ask(2)));
    }

    /** A worker that takes a message from the mailbox of a full pool calls the key function itself. */
    @AllStrategies
    void aFailingKeyFunctionCostsNoWorkerOfAFullPool(ThreadStrategy strategy) {
        var pool = gated(strategy, PoolOptions.of(1).keyed((Integer i) -> 10 / (i % 2)));
        pool.tell(1);
        awaitBegun(1);
        for (int i = 2; i <= 7; i++) {
            pool.tell(i);
        }
        gate.release(100);
        assertTrue(pool.close(Duration.ofSeconds(60)));
        assertEquals(List.of(1, 3, 5, 7), ended);
        assertEquals(0, system.stats().dead());
    }
}
