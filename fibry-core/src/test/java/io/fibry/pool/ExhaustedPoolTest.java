package io.fibry.pool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.ActorInfo;
import io.fibry.ActorSystem;
import io.fibry.SystemOptions;
import io.fibry.ThreadStrategy;
import io.fibry.testing.AllStrategies;
import io.fibry.testing.Await;
import io.fibry.testing.DeepStack;
import io.fibry.testing.FailingContext;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A pool when stack or memory runs out while it passes a message to a worker: it loses no worker. */
class ExhaustedPoolTest extends PoolCase {

    private static final int DEPTHS = 200;

    /** More than the contexts that a pool captures for a message. */
    private static final int CONTEXTS = 8;

    private final FailingContext carrier = new FailingContext(new OutOfMemoryError("on purpose"));
    private final ActorSystem exhausted =
            ActorSystem.create(SystemOptions.defaults().context(carrier));

    private final Semaphore second = new Semaphore(0);

    @Override
    void close() {
        super.close();
        second.release(1_000);
        exhausted.close();
    }

    @Test
    void aSenderDeepInARecursionTakesNoWorker() throws Exception {
        List<WorkerPool<Integer, Integer>> all = Stream.generate(() -> WorkerPool.startWithReturn(
                        system.actor().strategy(ThreadStrategy.platform()), (Integer i) -> i, PoolOptions.of(1)))
                .limit(DEPTHS)
                .toList();
        assertEquals(1, value(all.getLast().ask(1))); // loads and links the code
        var accepted = new AtomicInteger();
        int tried = DeepStack.onSmallStack(() -> DeepStack.runAtAllDepths(DEPTHS - 1, i -> {
            try {
                all.get(i).tell(1);
                accepted.incrementAndGet();
            } catch (StackOverflowError e) {
                // not accepted
            }
        }));
        assertTrue(accepted.get() > 0 && accepted.get() < tried, accepted + " of " + tried);
        for (WorkerPool<Integer, Integer> pool : all) {
            assertAnswersAndEnds(pool, 7);
        }
    }

    @AllStrategies
    void aMessageThatRunsOutOfMemoryTakesNoWorker(ThreadStrategy strategy) throws Exception {
        for (PoolOptions<Integer> options : List.of(PoolOptions.of(1).priority(Integer::compare), keyed(1))) {
            for (int context = 1; context <= CONTEXTS; context++) {
                WorkerPool<Integer, Integer> pool = WorkerPool.startWithReturn(
                        exhausted.actor("pool").strategy(strategy), (Integer i) -> i, options);
                carrier.failAt(context);
                try {
                    pool.ask(1).handle((reply, failure) -> reply).get(30, TimeUnit.SECONDS);
                } catch (OutOfMemoryError e) {
                    // not accepted
                }
                awaitIdle();
                carrier.failAt(0);
                assertAnswersAndEnds(pool, 1);
            }
        }
    }

    /** The worker takes the second message from the mailbox, and opens a queue for its key. */
    @AllStrategies
    void aMessageThatAWorkerCannotSendToItselfLeavesNoQueue(ThreadStrategy strategy) throws Exception {
        WorkerPool<Integer, Integer> pool = gatedByKey(strategy, 1);
        pool.tell(1);
        awaitHeld(1);
        pool.tell(2);
        carrier.failAt(1);
        gate.release();
        awaitStats(pool, new PoolStats(0, 0, 1, 0));
        CompletableFuture<Integer> next = pool.ask(12);
        awaitBegun(2);
        assertEquals(new PoolStats(0, 1, 1, 0), pool.stats());
        second.release();
        assertEquals(12, value(next));
        gate.release();
        assertAnswersAndEnds(pool, 3);
    }

    /** The worker takes a message whose key has a queue at another worker. */
    @AllStrategies
    void aMessageThatAWorkerCannotSendToAnotherOneIsNotExpectedThere(ThreadStrategy strategy) throws Exception {
        WorkerPool<Integer, Integer> pool = gatedByKey(strategy, 2);
        pool.tell(1);
        pool.tell(2);
        awaitHeld(2);
        pool.tell(11);
        carrier.failAt(1);
        second.release();
        awaitStats(pool, new PoolStats(0, 1, 1, 0));
        gate.release(2);
        assertAnswersAndEnds(pool, 1);
    }

    /** A pool whose messages with the key 2 wait for a permit of their own. */
    private WorkerPool<Integer, Integer> gatedByKey(ThreadStrategy strategy, int parallelism) {
        return WorkerPool.startWithReturn(
                exhausted.actor("pool").strategy(strategy),
                (Integer i) -> {
                    begun.add(i);
                    (i % 10 == 2 ? second : gate).acquire();
                    return i;
                },
                keyed(parallelism));
    }

    /** Waits until the pool is full and holds its mailbox. */
    private void awaitHeld(int running) {
        awaitBegun(running);
        awaitIdle();
    }

    /** Unlike Awaitility, {@code Await} does not throw the exceptions of workers. */
    @Override
    void awaitBegun(int n) {
        Await.until(n + " have begun", () -> begun.size() == n);
    }

    private static void awaitStats(WorkerPool<?, ?> pool, PoolStats stats) {
        Await.until(stats.toString(), () -> pool.stats().equals(stats));
    }

    private void awaitIdle() {
        Await.until(
                "the pool is idle",
                () -> exhausted
                        .actors()
                        .anyMatch(actor -> actor.name().equals("pool") && actor.state() == ActorInfo.State.IDLE));
    }

    private static PoolOptions<Integer> keyed(int parallelism) {
        return PoolOptions.of(parallelism).keyed((Integer i) -> i % 10);
    }

    private static void assertAnswersAndEnds(WorkerPool<Integer, Integer> pool, int message) throws Exception {
        assertEquals(message, value(pool.ask(message)));
        assertTrue(pool.close(Duration.ofSeconds(30)));
    }
}
