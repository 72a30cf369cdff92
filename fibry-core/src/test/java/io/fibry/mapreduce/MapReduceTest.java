package io.fibry.mapreduce;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.ActorStoppedException;
import io.fibry.ThreadStrategy;
import io.fibry.testing.AllStrategies;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Phaser;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MapReduceTest extends MapReduceFixture {

    @AllStrategies(direct = true)
    void allInputsAreMappedAndReduced(ThreadStrategy strategy) throws Exception {
        var run = sum(strategy, 1_000, n -> 2 * n, FOUR);
        assertEquals(1_001_000, value(run));
        assertTrue(run.waitForExit(Duration.ofSeconds(30)), "it ends by itself");
        assertTrue(run.exit().join().isNormal());
        assertEquals(new MapReduceProgress(0, 1_000, 0), run.progress());
        assertEquals(List.of(), run.failures());
        assertEquals(0, value(sum(strategy, 0, n -> n, FOUR)), "without inputs, the initial result");
    }

    @AllStrategies(direct = true)
    void theReducerCanKeepPlainState(ThreadStrategy strategy) throws Exception {
        Set<Integer> all = new HashSet<>();
        var run = MapReduce.start(
                system.actor().strategy(strategy),
                IntStream.range(0, 1_000).boxed(),
                (Integer n) -> n,
                all,
                (set, n) -> {
                    set.add(n);
                    return set;
                },
                FOUR);
        assertEquals(1_000, value(run).size());
    }

    @AllStrategies
    void theLimitOfConcurrentMappersIsUsed(ThreadStrategy strategy) throws Exception {
        var together = new Phaser(4);
        var running = new AtomicInteger();
        var most = new AtomicInteger();
        var run = sum(
                strategy,
                400,
                n -> {
                    most.accumulateAndGet(running.incrementAndGet(), Math::max);
                    together.awaitAdvanceInterruptibly(together.arrive(), 30, TimeUnit.SECONDS);
                    running.decrementAndGet();
                    return n;
                },
                FOUR);
        assertEquals(80_200, value(run));
        assertEquals(4, most.get());
    }

    /** The stream has no end, so it must be read only as far as needed. */
    @AllStrategies
    void inputsAreTakenWhenTheyAreNeeded(ThreadStrategy strategy) throws Exception {
        var taken = new AtomicInteger();
        var go = new CountDownLatch(1);
        var run = MapReduce.start(
                system.actor().strategy(strategy),
                Stream.iterate(1, n -> n + 1).peek(n -> taken.incrementAndGet()),
                (Integer n) -> {
                    go.await();
                    return n;
                },
                0,
                Integer::sum,
                FOUR);
        await().until(() -> run.progress().running() == 4);
        assertTrue(taken.get() <= 6, "read ahead: " + taken.get());
        run.cancel();
        assertInstanceOf(ActorStoppedException.class, failure(run));
        assertTrue(run.waitForExit(Duration.ofSeconds(30)));
    }

    /** Short inputs are mapped several in a turn; the number that are read ahead is limited. */
    @AllStrategies(direct = true)
    void shortInputsAreReadAheadWithinALimit(ThreadStrategy strategy) throws Exception {
        var taken = new AtomicInteger();
        var begun = new AtomicInteger();
        var most = new AtomicInteger();
        var run = MapReduce.start(
                system.actor().strategy(strategy),
                IntStream.range(0, 20_000).boxed().peek(n -> taken.incrementAndGet()),
                (Integer n) -> {
                    most.accumulateAndGet(taken.get() - begun.getAndIncrement(), Math::max);
                    return 1;
                },
                0,
                Integer::sum,
                FOUR);
        assertEquals(20_000, value(run));
        assertTrue(most.get() <= 4 * (128 + 1) + 1, "read ahead: " + most.get());
    }

    /** An input that takes long delays no other, though short ones before it were mapped several in a turn. */
    @AllStrategies
    void anInputWaitsForNoOther(ThreadStrategy strategy) throws Exception {
        var others = new CountDownLatch(9_999);
        var run = sum(
                strategy,
                10_000,
                n -> {
                    if (n == 5_000) {
                        others.await();
                    } else {
                        others.countDown();
                    }
                    return 1;
                },
                FOUR);
        assertEquals(10_000, value(run));
    }

    @AllStrategies
    void aStreamThatBlocksDelaysNoEarlierInput(ThreadStrategy strategy) throws Exception {
        var mapped = new CountDownLatch(1_000);
        Stream<Integer> inputs = IntStream.rangeClosed(1, 1_001).boxed().peek(n -> {
            if (n == 1_001) {
                awaitUninterruptibly(mapped);
            }
        });
        var run = MapReduce.start(
                system.actor().strategy(strategy),
                inputs,
                (Integer n) -> {
                    mapped.countDown();
                    return 1;
                },
                0,
                Integer::sum,
                FOUR);
        assertEquals(1_001, value(run));
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @AllStrategies(direct = true)
    void anInterruptOfAMapperReachesNoOtherInput(ThreadStrategy strategy) throws Exception {
        var interrupted = new AtomicInteger();
        var run = sum(
                strategy,
                10_000,
                n -> {
                    if (Thread.currentThread().isInterrupted()) {
                        interrupted.incrementAndGet();
                    }
                    if (n % 10 == 0) {
                        Thread.currentThread().interrupt();
                    }
                    return 1;
                },
                FOUR);
        assertEquals(10_000, value(run));
        assertEquals(0, interrupted.get());
    }

    @AllStrategies(direct = true)
    void inputsAndValuesCanBeNull(ThreadStrategy strategy) throws Exception {
        var run = MapReduce.start(
                system.actor().strategy(strategy),
                Arrays.asList("a", null, "b").stream(),
                (String text) -> text,
                0,
                (count, text) -> count + (text == null ? 100 : 1),
                FOUR);
        assertEquals(102, value(run));
    }

    @ParameterizedTest
    @ValueSource(ints = {1 << 23, 1 << 24, Integer.MAX_VALUE})
    void theParallelismCanBeLarge(int parallelism) throws Exception {
        var options = MapReduceOptions.defaults().parallelism(parallelism);
        assertEquals(6, value(sum(ThreadStrategy.virtual(), 3, n -> n, options)));
    }

    @AllStrategies
    void theResultIsACopy(ThreadStrategy strategy) throws Exception {
        var go = new CountDownLatch(1);
        var run = sum(
                strategy,
                1,
                n -> {
                    go.await();
                    return n;
                },
                FOUR);
        run.result().cancel(true);
        CompletableFuture<Integer> mine = run.result();
        mine.complete(7);
        go.countDown();
        assertEquals(1, value(run));
    }

    @Test
    void badInput() {
        assertThrows(
                IllegalArgumentException.class,
                () -> MapReduceOptions.defaults().parallelism(0));
        assertThrows(
                IllegalArgumentException.class,
                () -> MapReduceOptions.defaults().maxFailures(-1));
        var virtual = ThreadStrategy.virtual();
        var one = List.of(1);
        assertThrows(NullPointerException.class, () -> sum(virtual, 1, null, FOUR));
        assertThrows(NullPointerException.class, () -> sum(virtual, 1, n -> n, null));
        assertThrows(
                NullPointerException.class,
                () -> MapReduce.start(
                        system.actor().strategy(virtual),
                        (Stream<Integer>) null,
                        n -> n,
                        0,
                        (Integer a, Integer b) -> a + b,
                        FOUR));
        assertThrows(
                NullPointerException.class,
                () -> MapReduce.start(
                        system.actor().strategy(virtual),
                        one.stream(),
                        n -> n,
                        null,
                        (Integer a, Integer b) -> a + b,
                        FOUR));
        assertThrows(
                NullPointerException.class,
                () -> MapReduce.<Integer, Integer, Integer>start(
                        system.actor().strategy(virtual), one.stream(), n -> n, 0, null, FOUR));
    }

    @Test
    void theActorIsFoundByItsName() throws Exception {
        var go = new CountDownLatch(1);
        var run = MapReduce.start(
                system.actor("sum").strategy(ThreadStrategy.virtual()),
                Stream.of(1),
                (Integer n) -> {
                    go.await();
                    return n;
                },
                0,
                Integer::sum,
                FOUR);
        assertSame(run, system.find("sum").orElseThrow());
        go.countDown();
        assertEquals(1, value(run));
    }
}
