package io.fibry.pool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.Actor;
import io.fibry.ActorExit;
import io.fibry.ActorStoppedException;
import io.fibry.DeadLetter;
import io.fibry.Overflow;
import io.fibry.StopMode;
import io.fibry.ThreadStrategy;
import io.fibry.testing.AllStrategies;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;

class WorkerPoolStopTest extends PoolCase {

    @AllStrategies
    void aDrainHandlesAllWaitingMessages(ThreadStrategy strategy) throws Exception {
        var pool = gated(strategy, PoolOptions.of(2));
        IntStream.range(0, 9).forEach(pool::tell);
        var last = pool.ask(9);
        awaitBegun(2);
        pool.stop();
        assertThrows(ActorStoppedException.class, () -> pool.tell(10));
        assertInstanceOf(ActorStoppedException.class, failure(pool.ask(10)));
        assertFalse(pool.exit().isDone());
        gate.release(10);
        assertEquals(9, value(last));
        pool.waitForExit();
        assertEquals(10, ended.size());
        assertEquals(ActorExit.Reason.NORMAL, pool.exit().join().reason());
        assertEquals(0, system.stats().dead());
    }

    @AllStrategies
    void aDrainOfAnIdlePoolEndsIt(ThreadStrategy strategy) {
        var pool = gated(strategy, PoolOptions.of(4));
        pool.stop();
        pool.waitForExit();
        assertEquals(new PoolStats(0, 0, 0, 0), pool.stats());
    }

    @AllStrategies
    void aDrainStillTakesMessagesOfItsOwnBehavior(ThreadStrategy strategy) throws Exception {
        var self = new CompletableFuture<Actor<Integer>>();
        WorkerPool<Integer, Void> pool = WorkerPool.start(
                system.actor().strategy(strategy),
                (Integer i) -> {
                    gate.acquire();
                    ended.add(i);
                    for (int n = 0; n < i; n++) {
                        self.get().tell(i - 1);
                    }
                },
                PoolOptions.of(2));
        self.complete(pool);
        pool.tell(3); // then 3 times 2, 6 times 1, 6 times 0
        pool.stop();
        gate.release(100);
        assertTrue(pool.waitForExit(Duration.ofSeconds(30)));
        assertEquals(1 + 3 + 6 + 6, ended.size());
    }

    /** They do not wait in the mailbox, which the drain has closed. */
    @AllStrategies
    void aDiscardMakesDeadLettersOfMessagesFromAFullDrainingPool(ThreadStrategy strategy) throws Exception {
        var dead = new ConcurrentLinkedQueue<Object>();
        system.onDeadLetter(letter -> dead.add(letter.message()));
        var self = new CompletableFuture<Actor<Integer>>();
        WorkerPool<Integer, Void> pool = WorkerPool.start(
                system.actor().strategy(strategy),
                (Integer i) -> {
                    begun.add(i);
                    gate.acquire();
                    if (i == 0) {
                        self.get().tell(1);
                        self.get().tell(2);
                        self.get().tell(3);
                        gate.acquire();
                    }
                },
                PoolOptions.of(1));
        self.complete(pool);
        pool.tell(0);
        awaitBegun(1);
        pool.stop();
        gate.release();
        until(() -> pool.stats().waiting() == 3);
        pool.stop(StopMode.DISCARD);
        gate.release();
        assertTrue(pool.waitForExit(Duration.ofSeconds(30)));
        assertEquals(List.of(0), begun);
        assertEquals(List.of(1, 2, 3), dead.stream().sorted().toList());
    }

    @AllStrategies
    void aDiscardFinishesCurrentMessages(ThreadStrategy strategy) throws Exception {
        var pool = gated(strategy, PoolOptions.of(2));
        IntStream.range(0, 5).forEach(pool::tell);
        var asked = pool.ask(5);
        awaitBegun(2);
        pool.stop(StopMode.DISCARD);
        assertInstanceOf(ActorStoppedException.class, failure(asked));
        gate.release(2);
        pool.waitForExit();
        assertEquals(2, ended.size());
        assertEquals(List.of(0, 1), ended.stream().sorted().toList());
        assertEquals(4, system.stats().dead());
        assertEquals(4, pool.exit().join().discarded());
    }

    /** The function of the key runs when the message has left the mailbox, and has no worker yet. */
    @AllStrategies
    void aDiscardBeforeTheHandOverMakesADeadLetter(ThreadStrategy strategy) {
        for (StopMode mode : List.of(StopMode.DISCARD, StopMode.INTERRUPT)) {
            var dead = new ConcurrentLinkedQueue<DeadLetter>();
            system.onDeadLetter(dead::add);
            var self = new AtomicReference<Actor<?>>();
            WorkerPool<Integer, Integer> pool = WorkerPool.startWithReturn(
                    system.actor().strategy(strategy),
                    (Integer i) -> i,
                    PoolOptions.of(2).keyed((Integer i) -> {
                        self.get().stop(mode);
                        return i;
                    }));
            self.set(pool);
            pool.tell(1);
            assertTrue(pool.waitForExit(Duration.ofSeconds(30)));
            DeadLetter letter = dead.poll();
            assertNotNull(letter, () -> mode + " loses a message");
            assertEquals(1, letter.message());
            assertEquals(List.of(), List.copyOf(dead));
            assertEquals(0, pool.exit().join().failed());
            assertEquals(1, pool.exit().join().discarded());
        }
        assertEquals(0, system.stats().handled());
    }

    @AllStrategies
    void aDiscardBeforeTheHandOverFailsTheAsk(ThreadStrategy strategy) {
        var self = new AtomicReference<Actor<?>>();
        WorkerPool<Integer, Integer> pool = WorkerPool.startWithReturn(
                system.actor().strategy(strategy),
                (Integer i) -> i,
                PoolOptions.of(2).keyed((Integer i) -> {
                    self.get().stop(StopMode.DISCARD);
                    return i;
                }));
        self.set(pool);
        assertInstanceOf(ActorStoppedException.class, failure(pool.ask(1)));
        assertTrue(pool.waitForExit(Duration.ofSeconds(30)));
    }

    @AllStrategies
    void anInterruptReachesAllWorkers(ThreadStrategy strategy) {
        var interrupted = new AtomicInteger();
        WorkerPool<Integer, Void> pool = WorkerPool.start(
                system.actor().strategy(strategy),
                (Integer i) -> {
                    begun.add(i);
                    try {
                        gate.acquire();
                    } catch (InterruptedException e) {
                        interrupted.incrementAndGet();
                    }
                },
                PoolOptions.of(3));
        IntStream.range(0, 5).forEach(pool::tell);
        awaitBegun(3);
        pool.stop(StopMode.INTERRUPT);
        assertTrue(pool.waitForExit(Duration.ofSeconds(30)));
        assertEquals(3, interrupted.get());
        assertEquals(2, system.stats().dead());
    }

    @AllStrategies
    void aDrainCanBeMadeHarder(ThreadStrategy strategy) {
        var pool = gated(strategy, PoolOptions.of(1));
        IntStream.range(0, 5).forEach(pool::tell);
        awaitBegun(1);
        pool.stop();
        pool.stop(StopMode.DISCARD);
        gate.release(1);
        assertTrue(pool.waitForExit(Duration.ofSeconds(30)));
        assertEquals(List.of(0), ended);
        assertEquals(4, system.stats().dead());
    }

    @AllStrategies
    void sendersThatWaitForRoomAreRefused(ThreadStrategy strategy) {
        var pool = gated(strategy, PoolOptions.of(1).bounded(1, Overflow.BLOCK));
        pool.tell(0);
        awaitBegun(1);
        pool.tell(1);
        var outcome = new CompletableFuture<Void>();
        Thread.startVirtualThread(() -> {
            try {
                pool.tell(2);
                outcome.complete(null);
            } catch (RuntimeException e) {
                outcome.completeExceptionally(e);
            }
        });
        pool.stop(StopMode.DISCARD);
        assertInstanceOf(ActorStoppedException.class, failure(outcome));
    }

    @AllStrategies
    void theCloseOfTheSystemDrainsPools(ThreadStrategy strategy) {
        var pool = gated(strategy, PoolOptions.of(2));
        IntStream.range(0, 100).forEach(pool::tell);
        awaitBegun(2);
        gate.release(1_000);
        system.close();
        assertEquals(100, ended.size());
        assertTrue(pool.exit().isDone());
    }

    @AllStrategies
    void everyMessageHasOneEndUnderAnyRaceWithAStop(ThreadStrategy strategy) throws Exception {
        for (StopMode mode : StopMode.values()) {
            for (int round = 0; round < 10; round++) {
                var handled = new AtomicInteger();
                var replies = new AtomicInteger();
                WorkerPool<Integer, Void> pool = WorkerPool.start(
                        system.actor().strategy(strategy), (Integer i) -> handled.incrementAndGet(), PoolOptions.of(2));
                var sender = Thread.startVirtualThread(() -> {
                    for (int i = 0; i < 200; i++) {
                        CompletableFuture<?> unused =
                                pool.ask(i).whenComplete((value, failure) -> replies.incrementAndGet());
                    }
                });
                int stopAt = round * 10;
                until(() -> handled.get() >= stopAt);
                pool.stop(mode);
                joinAll(List.of(sender));
                assertTrue(pool.waitForExit(Duration.ofSeconds(30)));
                until(() -> replies.get() == 200);
            }
        }
    }
}
