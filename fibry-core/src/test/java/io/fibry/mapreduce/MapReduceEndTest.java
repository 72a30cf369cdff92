package io.fibry.mapreduce;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.ActorStoppedException;
import io.fibry.StopMode;
import io.fibry.ThreadStrategy;
import io.fibry.ThrowingFunction;
import io.fibry.testing.AllStrategies;
import java.io.IOException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/** Runs that end by a failure, a cancel, or a stop. */
class MapReduceEndTest extends MapReduceFixture {

    @AllStrategies(direct = true)
    void theFirstFailureEndsTheRun(ThreadStrategy strategy) {
        var cause = new IOException("on purpose");
        var run = endlessSum(strategy, n -> {
            if (n == 100) {
                throw cause;
            }
            return n;
        });
        assertSame(cause, failure(run));
        assertTrue(run.waitForExit(Duration.ofSeconds(30)));
        assertEquals(List.of(new MapFailure(100, cause)), run.failures());
        assertEquals(1, run.progress().failed());
    }

    @AllStrategies
    void theFirstFailureInterruptsTheOtherMappers(ThreadStrategy strategy) throws Exception {
        var at = new CountDownLatch(3);
        var never = new CountDownLatch(1);
        var run = sum(
                strategy,
                4,
                n -> {
                    if (n == 4) {
                        at.await();
                        throw new IllegalStateException("on purpose");
                    }
                    at.countDown();
                    never.await();
                    return n;
                },
                FOUR);
        assertInstanceOf(IllegalStateException.class, failure(run));
        assertTrue(run.waitForExit(Duration.ofSeconds(30)));
    }

    @AllStrategies(direct = true)
    void failuresAreCollectedOnRequest(ThreadStrategy strategy) throws Exception {
        ThrowingFunction<Integer, Integer> mapper = n -> {
            if (n % 10 == 0) {
                throw new IllegalStateException("on purpose");
            }
            return n;
        };
        var run = sum(strategy, 100, mapper, FOUR.maxFailures(10));
        assertEquals(5_050 - 550, value(run));
        assertEquals(10, run.failures().size());
        assertEquals(
                Set.of(10, 20, 30, 40, 50, 60, 70, 80, 90, 100),
                new HashSet<>(run.failures().stream().map(MapFailure::input).toList()));
        assertEquals(new MapReduceProgress(0, 90, 10), run.progress());
        assertInstanceOf(IllegalStateException.class, failure(sum(strategy, 100, mapper, FOUR.maxFailures(9))));
    }

    @AllStrategies(direct = true)
    void aReducerThatThrowsEndsTheRun(ThreadStrategy strategy) {
        var cause = new IllegalStateException("on purpose");
        var run = MapReduce.start(
                system.actor().strategy(strategy),
                Stream.iterate(1, n -> n + 1),
                (Integer n) -> n,
                0,
                (sum, n) -> {
                    if (n > 10) {
                        throw cause;
                    }
                    return sum + n;
                },
                FOUR.maxFailures(Integer.MAX_VALUE));
        assertSame(cause, failure(run));
        assertTrue(run.waitForExit(Duration.ofSeconds(30)));
    }

    @AllStrategies(direct = true)
    void aStreamThatThrowsEndsTheRun(ThreadStrategy strategy) {
        var cause = new IllegalStateException("on purpose");
        var closed = new AtomicBoolean();
        Stream<Integer> broken = Stream.iterate(1, n -> n + 1)
                .peek(n -> {
                    if (n == 50) {
                        throw cause;
                    }
                })
                .onClose(() -> closed.set(true));
        var run = MapReduce.start(system.actor().strategy(strategy), broken, (Integer n) -> n, 0, Integer::sum, FOUR);
        assertSame(cause, failure(run));
        assertTrue(run.waitForExit(Duration.ofSeconds(30)));
        assertTrue(closed.get(), "the stream is closed");
    }

    @AllStrategies
    void aCancelInterruptsAMapperAndASlowStream(ThreadStrategy strategy) throws Exception {
        var at = new CountDownLatch(1);
        var never = new CountDownLatch(1);
        var mapping = sum(
                strategy,
                1,
                n -> {
                    at.countDown();
                    never.await();
                    return n;
                },
                FOUR);
        at.await();
        mapping.cancel();
        assertInstanceOf(ActorStoppedException.class, failure(mapping));
        assertTrue(mapping.waitForExit(Duration.ofSeconds(30)));
        var reading = new CountDownLatch(1);
        Stream<Integer> slow = Stream.generate(() -> {
            reading.countDown();
            try {
                never.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            return 1;
        });
        var waiting = MapReduce.start(system.actor().strategy(strategy), slow, (Integer n) -> n, 0, Integer::sum, FOUR);
        reading.await();
        waiting.cancel();
        assertTrue(waiting.waitForExit(Duration.ofSeconds(30)));
        assertTrue(waiting.result().isCompletedExceptionally());
    }

    @AllStrategies
    void aSoftStopLetsTheMappersFinish(ThreadStrategy strategy) throws Exception {
        var at = new CountDownLatch(4);
        var go = new CountDownLatch(1);
        var finished = new AtomicInteger();
        var run = endlessSum(strategy, n -> {
            at.countDown();
            go.await();
            return finished.incrementAndGet();
        });
        at.await();
        run.stop(StopMode.DRAIN);
        go.countDown();
        assertTrue(run.waitForExit(Duration.ofSeconds(30)));
        assertInstanceOf(ActorStoppedException.class, failure(run));
        assertEquals(4, finished.get());
        assertEquals(4, run.progress().reduced());
    }
}
