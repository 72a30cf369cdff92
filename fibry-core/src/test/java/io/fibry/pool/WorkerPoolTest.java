package io.fibry.pool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.Actor;
import io.fibry.ActorExit;
import io.fibry.AskTimeoutException;
import io.fibry.MailboxFullException;
import io.fibry.Overflow;
import io.fibry.ReplyTo;
import io.fibry.ThreadStrategy;
import io.fibry.testing.AllStrategies;
import io.fibry.testing.LogLines;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class WorkerPoolTest extends PoolCase {

    @AllStrategies
    void theLimitOfConcurrentMessagesIsUsed(ThreadStrategy strategy) {
        var pool = gated(strategy, PoolOptions.of(3));
        IntStream.range(0, 10).forEach(pool::tell);
        awaitBegun(3);
        assertEquals(new PoolStats(7, 3, 0, 0), pool.stats());
        gate.release();
        awaitBegun(4);
        until(() -> pool.stats().equals(new PoolStats(6, 3, 1, 0)));
        gate.release(9);
        until(() -> pool.stats().equals(new PoolStats(0, 0, 10, 0)));
        assertEquals(10, new HashSet<>(ended).size());
    }

    @AllStrategies
    void theLimitIsNeverExceededAndNoMessageIsLost(ThreadStrategy strategy) throws Exception {
        int limit = 3;
        var running = new AtomicInteger();
        var most = new AtomicInteger();
        var sum = new AtomicInteger();
        WorkerPool<Integer, Integer> pool = WorkerPool.startWithReturn(
                system.actor().strategy(strategy),
                (Integer i) -> {
                    most.accumulateAndGet(running.incrementAndGet(), Math::max);
                    try {
                        if (i % 7 == 0) {
                            LockSupport.parkNanos(1);
                        }
                        if (i % 11 == 0) {
                            throw new IllegalStateException("on purpose");
                        }
                        return sum.addAndGet(1);
                    } finally {
                        running.decrementAndGet();
                    }
                },
                PoolOptions.of(limit).bounded(5, Overflow.BLOCK));
        var asked = new AtomicInteger();
        var senders = new ArrayList<Thread>();
        for (int s = 0; s < 4; s++) {
            senders.add(Thread.startVirtualThread(() -> {
                for (int i = 1; i <= 500; i++) {
                    CompletableFuture<?> unused = pool.ask(i).whenComplete((value, failure) -> asked.incrementAndGet());
                }
            }));
        }
        joinAll(senders);
        assertTrue(pool.close(Duration.ofSeconds(30)));
        assertEquals(2_000, asked.get());
        assertEquals(2_000 - 4 * 45, sum.get());
        assertTrue(most.get() <= limit, most + " at a time");
        assertEquals(new PoolStats(0, 0, 2_000, 180), pool.stats());
    }

    @AllStrategies(direct = true)
    void eachAskGetsItsOwnReply(ThreadStrategy strategy) throws Exception {
        WorkerPool<Integer, Integer> squares =
                WorkerPool.startWithReturn(system.actor().strategy(strategy), (Integer i) -> i * i, PoolOptions.of(2));
        var asks = IntStream.range(0, 20).mapToObj(squares::ask).toList();
        for (int i = 0; i < asks.size(); i++) {
            assertEquals(i * i, value(asks.get(i)));
        }
        assertEquals(81, squares.call(9, LONG));
        WorkerPool<Integer, Void> silent =
                WorkerPool.start(system.actor().strategy(strategy), (Integer i) -> ended.add(i), PoolOptions.of(2));
        assertNull(value(silent.ask(1)));
        assertEquals(List.of(1), ended);
    }

    private record Question(int number, ReplyTo<String> replyTo) {}

    @AllStrategies
    void aMessageCanCarryItsReplyTo(ThreadStrategy strategy) throws Exception {
        var cause = new IllegalStateException("on purpose");
        WorkerPool<Question, Void> pool = WorkerPool.start(
                system.actor().strategy(strategy),
                (Question question) -> {
                    begun.add(question.number());
                    if (question.number() == 0) {
                        throw cause;
                    }
                    gate.acquire();
                    question.replyTo().reply("answer " + question.number());
                },
                PoolOptions.of(1).priority(Comparator.comparingInt(Question::number)));
        assertSame(cause, failure(pool.<String>ask(replyTo -> new Question(0, replyTo), LONG)));
        CompletableFuture<String> first = pool.ask(replyTo -> new Question(9, replyTo), LONG);
        awaitBegun(2);
        CompletableFuture<String> last = pool.ask(replyTo -> new Question(5, replyTo), LONG);
        CompletableFuture<String> givenUp = pool.ask(replyTo -> new Question(4, replyTo), LONG);
        CompletableFuture<String> second = pool.ask(replyTo -> new Question(3, replyTo), LONG);
        givenUp.cancel(false);
        gate.release(3);
        assertEquals("answer 9", value(first));
        assertEquals("answer 3", value(second));
        assertEquals("answer 5", value(last));
        assertEquals(List.of(0, 9, 3, 5), begun);
        assertThrows(NullPointerException.class, () -> pool.ask(replyTo -> null, LONG));
    }

    @AllStrategies
    void aFullPoolRefusesOrBlocksItsSenders(ThreadStrategy strategy) throws Exception {
        var refusing = gated(strategy, PoolOptions.of(1).bounded(2, Overflow.FAIL));
        refusing.tell(0);
        awaitBegun(1);
        refusing.tell(1);
        refusing.tell(2);
        assertThrows(MailboxFullException.class, () -> refusing.tell(3));
        assertInstanceOf(MailboxFullException.class, failure(refusing.ask(3)));
        assertFalse(refusing.tryTell(3));
        gate.release(3);
        until(() -> refusing.stats().done() == 3);

        var blocking = gated(strategy, PoolOptions.of(1).bounded(1, Overflow.BLOCK));
        blocking.tell(10);
        awaitBegun(4);
        blocking.tell(11);
        var sent = new CompletableFuture<Void>();
        Thread.startVirtualThread(() -> {
            blocking.tell(12);
            sent.complete(null);
        });
        until(() -> blocking.mailboxSize().orElseThrow() == 1);
        assertFalse(blocking.tryTell(13));
        gate.release();
        sent.get();
        gate.release(2);
        blocking.close();
        assertEquals(List.of(0, 1, 2, 10, 11, 12), ended);
    }

    @AllStrategies
    void priorityOrdersTheWaitingMessages(ThreadStrategy strategy) {
        var pool = gated(strategy, PoolOptions.of(1).priority(Comparator.comparingInt((Integer i) -> i % 10)));
        pool.tell(0);
        awaitBegun(1);
        for (int i : new int[] {15, 23, 35, 11, 43}) {
            pool.tell(i);
        }
        gate.release();
        awaitBegun(2);
        pool.tell(51); // precedes all waiting messages
        gate.release(6);
        pool.close();
        assertEquals(List.of(0, 11, 51, 23, 43, 15, 35), begun);
    }

    @AllStrategies
    void aCancelledAskIsSkipped(ThreadStrategy strategy) throws Exception {
        var pool = gated(strategy, PoolOptions.of(1));
        pool.tell(0);
        awaitBegun(1);
        var cancelled = pool.ask(1);
        var late = pool.ask(2, Duration.ofMillis(1));
        var third = pool.ask(3);
        cancelled.cancel(false);
        assertInstanceOf(AskTimeoutException.class, failure(late));
        gate.release(2);
        assertEquals(3, value(third));
        pool.close();
        assertEquals(List.of(0, 3), begun);
        assertEquals(2, pool.stats().done());
        assertEquals(2, system.stats().dropped());
    }

    @AllStrategies
    void aFailureCostsNoWorker(ThreadStrategy strategy) throws Exception {
        var cause = new IllegalStateException("on purpose");
        WorkerPool<Integer, Integer> pool = WorkerPool.startWithReturn(
                system.actor("pool").strategy(strategy),
                (Integer i) -> {
                    if (i == 0) {
                        throw cause;
                    }
                    if (i == 1) {
                        throw new StackOverflowError("on purpose");
                    }
                    gate.acquire();
                    return i;
                },
                PoolOptions.of(2));
        try (var log = new LogLines()) {
            for (int i = 0; i < 5; i++) {
                assertSame(cause, failure(pool.ask(0)));
            }
            assertEquals(List.of(), log.with("on purpose"));
            for (int i = 0; i < 5; i++) {
                pool.tell(0);
            }
            assertInstanceOf(StackOverflowError.class, failure(pool.ask(1)));
            until(() -> !log.with("pool, worker").isEmpty());
        }
        pool.tell(5);
        pool.tell(6);
        until(() -> pool.stats().equals(new PoolStats(0, 2, 11, 11)));
    }

    @AllStrategies
    void codeRunsOnAWorker(ThreadStrategy strategy) throws Exception {
        var pool = gated(strategy, PoolOptions.of(1).priority(Comparator.<Integer>naturalOrder()));
        pool.tell(0);
        awaitBegun(1);
        pool.tell(2);
        pool.tell(1);
        pool.execute(() -> ended.add(100));
        pool.execute(() -> ended.add(101));
        gate.release(3);
        pool.close();
        assertEquals(List.of(0, 100, 101, 1, 2), ended);
    }

    @AllStrategies
    void aPoolHandlesMessagesOfItsOwnWorkers(ThreadStrategy strategy) throws Exception {
        var refused = new CopyOnWriteArrayList<Integer>();
        var self = new CompletableFuture<Actor<Integer>>();
        WorkerPool<Integer, Void> pool = WorkerPool.start(
                system.actor().strategy(strategy),
                (Integer i) -> {
                    gate.acquire();
                    for (int n = 0; n < i; n++) {
                        try {
                            self.get().tell(0);
                        } catch (MailboxFullException e) {
                            refused.add(n);
                        }
                    }
                    ended.add(i);
                },
                PoolOptions.of(2).bounded(3, Overflow.BLOCK));
        self.complete(pool);
        pool.tell(5);
        pool.tell(5);
        until(() -> pool.stats().running() == 2);
        gate.release(2);
        until(() -> ended.size() == 2);
        assertFalse(refused.isEmpty(), "ten messages for three places and two workers");
        gate.release(100);
        pool.close();
        assertEquals(12, ended.size() + refused.size());
    }

    @AllStrategies(direct = true)
    void thePoolIsFoundByItsName(ThreadStrategy strategy) {
        WorkerPool<Integer, Void> pool = WorkerPool.start(
                system.actor("crawlers").strategy(strategy), (Integer i) -> ended.add(i), PoolOptions.of(1));
        assertSame(pool, system.find("crawlers").orElseThrow());
        assertSame(pool, WorkerPool.find(system, "crawlers").orElseThrow());
        assertTrue(WorkerPool.find(system, "nobody").isEmpty());
        pool.close();
        assertTrue(system.find("crawlers").isEmpty());
        system.actor("other").newActorWithReturn((Integer i) -> i);
        assertTrue(WorkerPool.find(system, "other").isEmpty());
    }

    @AllStrategies
    void messagesForAnExpectedPoolAreKept(ThreadStrategy strategy) {
        Actor<Integer> expected = system.findOrExpect("later", 10);
        IntStream.range(0, 10).forEach(expected::tell);
        WorkerPool<Integer, Void> pool = WorkerPool.start(
                system.actor("later").strategy(strategy),
                (Integer i) -> ended.add(i),
                PoolOptions.of(2).bounded(1, Overflow.FAIL));
        until(() -> pool.stats().done() == 10);
    }

    @Test
    void anExecutorThatRejectsItsWorkersEndsThePool() {
        ExecutorService executor = Executors.newSingleThreadExecutor();
        WorkerPool<Integer, Void> pool = WorkerPool.start(
                system.actor().strategy(ThreadStrategy.pool(executor)), (Integer i) -> ended.add(i), PoolOptions.of(1));
        executor.shutdown();
        pool.tell(1);
        assertTrue(pool.waitForExit(Duration.ofSeconds(30)));
        assertEquals(ActorExit.Reason.FAILED, pool.exit().join().reason());
    }

    @Test
    void badInput() {
        assertThrows(IllegalArgumentException.class, () -> PoolOptions.of(0));
        assertThrows(IllegalArgumentException.class, () -> PoolOptions.of(-1));
        var options = PoolOptions.of(2);
        assertThrows(IllegalArgumentException.class, () -> options.bounded(0, Overflow.FAIL));
        assertThrows(NullPointerException.class, () -> options.bounded(1, null));
        assertThrows(NullPointerException.class, () -> options.priority(null));
        assertThrows(NullPointerException.class, () -> options.keyed(null));
        Comparator<Integer> order = Comparator.naturalOrder();
        assertThrows(
                IllegalArgumentException.class,
                () -> options.keyed((Integer i) -> i).priority(order));
        assertThrows(
                IllegalArgumentException.class, () -> options.priority(order).bounded(1, Overflow.DROP_OLDEST));
        assertThrows(
                NullPointerException.class,
                () -> WorkerPool.start(system.actor().strategy(ThreadStrategy.virtual()), null, options));
        var pool = gated(ThreadStrategy.virtual(), options);
        assertThrows(NullPointerException.class, () -> pool.tell(null));
        assertThrows(NullPointerException.class, () -> pool.ask(null));
        assertThrows(NullPointerException.class, () -> pool.execute(null));
        assertEquals(2, options.parallelism());
        assertEquals(1_000, options.capacity());
        assertEquals(Overflow.BLOCK, options.overflow());
    }

    /** The workers of a full pool take its messages without a turn of its actor. */
    @AllStrategies
    void theMessagesOfAFullPoolAreCounted(ThreadStrategy strategy) {
        var pool = gated(strategy, PoolOptions.of(2));
        IntStream.range(0, 100).forEach(pool::tell);
        awaitBegun(2);
        gate.release(50);
        awaitBegun(52);
        until(() -> handled(pool) == 52);
        gate.release(100);
        assertTrue(pool.close(Duration.ofSeconds(60)));
        assertEquals(
                100 + 2, pool.exit().join().handled()); // each worker has notified the pool's actor of its end once
    }

    private long handled(WorkerPool<?, ?> pool) {
        return system.dump().fullest().stream()
                .filter(info -> info.name().equals(pool.name()))
                .findFirst()
                .orElseThrow()
                .handled();
    }
}
