package io.fibry.mapreduce;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.ActorStoppedException;
import io.fibry.ActorSystem;
import io.fibry.BehaviorCancelledException;
import io.fibry.SystemOptions;
import io.fibry.ThreadStrategy;
import io.fibry.testing.AllStrategies;
import io.fibry.testing.FailingContext;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Runs whose executor rejects a mapper, or whose memory runs out: the result always completes. */
class MapReduceFaultTest extends MapReduceFixture {

    /** More than the contexts that a run captures. */
    private static final int CONTEXTS = 12;

    private final RejectedExecutionException rejection = new RejectedExecutionException("on purpose");
    private final AtomicBoolean rejects = new AtomicBoolean();

    private final FailingContext carrier = new FailingContext(new OutOfMemoryError("on purpose"));
    private final ActorSystem exhausted =
            ActorSystem.create(SystemOptions.defaults().context(carrier));

    @AfterEach
    void closeExhausted() {
        exhausted.close();
    }

    @Test
    void aRejectedMapperEndsTheRun() {
        for (Executor executor : List.<Executor>of(Thread::startVirtualThread, Runnable::run)) {
            var run = MapReduce.start(
                    system.actor().strategy(rejecting(executor)),
                    rejectedAt(1),
                    (Integer n) -> n,
                    0,
                    Integer::sum,
                    MapReduceOptions.defaults().parallelism(1).maxFailures(5));
            assertSame(rejection, failure(run));
            assertTrue(run.waitForExit(Duration.ofSeconds(30)));
        }
    }

    @Test
    void aRejectedMapperInterruptsTheOtherMappers() {
        var never = new CountDownLatch(1);
        var run = MapReduce.start(
                system.actor().strategy(rejecting(Thread::startVirtualThread)),
                rejectedAt(2),
                (Integer n) -> {
                    never.await();
                    return n;
                },
                0,
                Integer::sum,
                MapReduceOptions.defaults().parallelism(2));
        assertSame(rejection, failure(run));
        assertTrue(run.waitForExit(Duration.ofSeconds(30)));
    }

    @Test
    void anExecutorThatIsShutDownAfterTheResultInterruptsNothing() throws Exception {
        try (ExecutorService executor = Executors.newFixedThreadPool(2)) {
            var begin = new CountDownLatch(1);
            var isInterrupted = new CompletableFuture<Boolean>();
            var run = MapReduce.start(
                    system.actor().strategy(ThreadStrategy.pool(executor)),
                    Stream.of(1, 2, 3)
                            .onClose(() -> isInterrupted.complete(
                                    Thread.currentThread().isInterrupted())),
                    (Integer n) -> {
                        begin.await();
                        return n;
                    },
                    0,
                    Integer::sum,
                    FOUR);
            CompletableFuture<Void> unused = run.result().thenRun(executor::shutdown);
            begin.countDown();
            assertEquals(6, value(run));
            assertFalse(isInterrupted.get(30, TimeUnit.SECONDS));
            assertTrue(run.waitForExit(Duration.ofSeconds(30)));
        }
    }

    @Test
    void anExecutorThatIsShutDownBeforeAStopDoesNotChangeItsFailure() {
        try (ExecutorService executor = Executors.newFixedThreadPool(2)) {
            var reading = new CompletableFuture<Void>();
            var stopped = new CompletableFuture<Void>();
            var run = MapReduce.start(
                    system.actor().strategy(ThreadStrategy.pool(executor)),
                    Stream.iterate(1, n -> n + 1).peek(n -> {
                        if (n == 2) {
                            reading.complete(null);
                            stopped.join();
                        }
                    }),
                    (Integer n) -> n,
                    0,
                    Integer::sum,
                    FOUR);
            reading.join();
            executor.shutdown();
            run.stop();
            stopped.complete(null);
            assertInstanceOf(ActorStoppedException.class, failure(run));
        }
    }

    @Test
    void theProgressIsCurrentWhenTheResultFails() throws Exception {
        var begin = new CountDownLatch(1);
        var run = sum(
                ThreadStrategy.virtual(),
                1,
                n -> {
                    begin.await();
                    throw new IllegalStateException("on purpose");
                },
                FOUR);
        CompletableFuture<Long> failed =
                run.result().handle((value, failure) -> run.progress().failed());
        begin.countDown();
        assertEquals(1, failed.get(30, TimeUnit.SECONDS));
    }

    @AllStrategies(direct = true)
    void aMessageThatRunsOutOfMemoryLeavesNoResultOpen(ThreadStrategy strategy) throws Exception {
        int failed = 0;
        for (int context = 1; context <= CONTEXTS; context++) {
            carrier.failAt(context);
            try {
                var run = MapReduce.start(
                        exhausted.actor().strategy(strategy),
                        Stream.of(1, 2, 3, 4, 5),
                        (Integer n) -> n,
                        0,
                        Integer::sum,
                        MapReduceOptions.defaults().parallelism(1));
                try {
                    assertEquals(15, run.result().get(30, TimeUnit.SECONDS));
                } catch (ExecutionException e) {
                    assertInstanceOf(OutOfMemoryError.class, e.getCause());
                    failed++;
                }
                assertTrue(run.waitForExit(Duration.ofSeconds(30)));
            } catch (OutOfMemoryError e) {
                assertEquals("on purpose", e.getMessage()); // not started
            }
        }
        carrier.failAt(0);
        assertTrue(failed > 0, "a context of the run itself");
    }

    @AllStrategies(direct = true)
    void aFailureThatRunsOutOfMemoryFailsTheResult(ThreadStrategy strategy) {
        var attempts = new AtomicInteger();
        @SuppressWarnings("serial")
        class Exhausting extends CancellationException {
            @Override
            public String getMessage() {
                if (attempts.incrementAndGet() == 1) {
                    throw new OutOfMemoryError("on purpose");
                }
                return "on purpose";
            }
        }
        var run = endlessSum(strategy, n -> {
            throw new Exhausting();
        });
        Throwable failure = failure(run);
        assertInstanceOf(BehaviorCancelledException.class, failure);
        assertInstanceOf(Exhausting.class, failure.getCause());
        assertTrue(attempts.get() > 1);
        assertTrue(run.waitForExit(Duration.ofSeconds(30)));
    }

    private ThreadStrategy rejecting(Executor executor) {
        return ThreadStrategy.pool(task -> {
            if (rejects.getAndSet(false)) {
                throw rejection;
            }
            executor.execute(task);
        });
    }

    /** Numbers from 1 on; the next task of the executor after this one is rejected, that of its new mapper. */
    private Stream<Integer> rejectedAt(int input) {
        return Stream.iterate(1, n -> n + 1).peek(n -> {
            if (n == input) {
                rejects.set(true);
            }
        });
    }
}
