package io.fibry.generator;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.ActorExit.Reason;
import io.fibry.ActorInterruptedException;
import io.fibry.ActorStoppedException;
import io.fibry.ActorSystem;
import io.fibry.StopMode;
import io.fibry.ThreadStrategy;
import io.fibry.ThrowingConsumer;
import io.fibry.testing.AllStrategies;
import io.fibry.testing.NoLeftovers;
import io.fibry.testing.Rounds;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(NoLeftovers.class)
@Timeout(value = 60, threadMode = ThreadMode.SEPARATE_THREAD)
class GeneratorTest {

    private static final GeneratorOptions SMALL = GeneratorOptions.defaults().buffer(3);

    private final ActorSystem system = ActorSystem.create();

    @AfterEach
    void close() {
        system.close();
    }

    private <T> Generator<T> generator(
            ThreadStrategy strategy, ThrowingConsumer<Consumer<T>> code, GeneratorOptions options) {
        return Generator.start(system.actor().strategy(strategy), code, options);
    }

    private static ThrowingConsumer<Consumer<Integer>> numbers(int n) {
        return out -> IntStream.range(0, n).forEach(out::accept);
    }

    private static List<Integer> upTo(int n) {
        return IntStream.range(0, n).boxed().toList();
    }

    private static <T> List<T> all(Iterable<T> values) {
        var all = new ArrayList<T>();
        values.forEach(all::add);
        return all;
    }

    @AllStrategies
    void everyValueIsReadOnceAndInOrder(ThreadStrategy strategy) {
        int values = Rounds.of(1_000, 20_000); // next to other programs, each value may cost a time slice
        for (int buffer : new int[] {1, 2, 3, 7, 64, 100_000}) {
            var options = GeneratorOptions.defaults().buffer(buffer);
            assertEquals(upTo(values), all(generator(strategy, numbers(values), options)), "buffer " + buffer);
        }
        assertEquals(List.of(), all(generator(strategy, numbers(0), SMALL)));
    }

    @AllStrategies
    void itIsReadAsAStream(ThreadStrategy strategy) {
        try (var stream = generator(strategy, numbers(1_000), SMALL).stream()) {
            assertEquals(499_500, stream.mapToInt(n -> n).sum());
        }
    }

    @AllStrategies
    void theCodeWaitsForItsReader(ThreadStrategy strategy) {
        var yielded = new AtomicInteger();
        Generator<Integer> generator = generator(
                strategy,
                out -> {
                    for (int i = 0; i < 100; i++) {
                        out.accept(i);
                        yielded.incrementAndGet();
                    }
                },
                SMALL);
        await().until(() -> yielded.get() == 3);
        var values = generator.iterator();
        for (int i = 0; i < 100; i++) {
            assertTrue(yielded.get() <= i + 3, "never more than the buffer ahead");
            assertTrue(values.hasNext());
            assertEquals(i, values.next());
        }
        assertFalse(values.hasNext());
        assertFalse(values.hasNext());
        assertThrows(NoSuchElementException.class, values::next);
        assertTrue(generator.waitForExit(Duration.ofSeconds(30)));
        assertTrue(generator.exit().join().isNormal());
    }

    @AllStrategies
    void theReaderGetsAValueAsSoonAsItIsProduced(ThreadStrategy strategy) throws Exception {
        var go = new CountDownLatch(1);
        Generator<Integer> generator = generator(
                strategy,
                out -> {
                    out.accept(1);
                    go.await();
                    out.accept(2);
                },
                SMALL);
        var values = generator.iterator();
        assertEquals(1, values.next());
        go.countDown();
        assertEquals(2, values.next());
    }

    @AllStrategies
    void closingEarlyInterruptsAndFreesTheCode(ThreadStrategy strategy) throws Exception {
        var interrupted = new CompletableFuture<Throwable>();
        Generator<Integer> generator = generator(
                strategy,
                out -> {
                    try {
                        numbers(Integer.MAX_VALUE).accept(out);
                    } catch (ActorInterruptedException e) {
                        interrupted.complete(e);
                        throw e;
                    }
                },
                SMALL);
        var values = generator.iterator();
        assertEquals(0, values.next());
        generator.close();
        assertInstanceOf(ActorInterruptedException.class, interrupted.get(30, TimeUnit.SECONDS));
        assertEquals(Reason.INTERRUPTED, generator.exit().join().reason());
        generator.close(); // again
        assertTrue(generator.close(Duration.ZERO));
        assertThrows(ActorStoppedException.class, values::hasNext);
        assertThrows(ActorStoppedException.class, values::next);
    }

    @AllStrategies
    void closingTheStreamFreesTheCode(ThreadStrategy strategy) {
        Generator<Integer> generator = generator(strategy, numbers(Integer.MAX_VALUE), SMALL);
        try (var stream = generator.stream()) {
            assertEquals(upTo(5), stream.limit(5).toList());
        }
        assertTrue(generator.exit().isDone());
    }

    @AllStrategies
    void closingInterruptsCodeThatWaitsElsewhere(ThreadStrategy strategy) throws Exception {
        var at = new CountDownLatch(1);
        var never = new CountDownLatch(1);
        Generator<Integer> generator = generator(
                strategy,
                out -> {
                    at.countDown();
                    never.await();
                },
                SMALL);
        at.await();
        assertTrue(generator.close(Duration.ofSeconds(30)));
    }

    @AllStrategies
    void anUnreadGeneratorIsClosedToo(ThreadStrategy strategy) {
        assertTrue(generator(strategy, numbers(Integer.MAX_VALUE), SMALL).close(Duration.ofSeconds(30)));
        var ended = generator(strategy, numbers(1), SMALL);
        ended.waitForExit();
        ended.close();
    }

    @AllStrategies
    void aPartialResultIsNeverReportedAsComplete(ThreadStrategy strategy) {
        Generator<Integer> returning = generator(
                strategy,
                out -> {
                    try {
                        numbers(Integer.MAX_VALUE).accept(out);
                    } catch (ActorInterruptedException e) {
                        assertTrue(Thread.interrupted()); // and returns as if it were complete
                    }
                },
                SMALL);
        var values = returning.iterator();
        assertEquals(0, values.next());
        returning.stop(StopMode.INTERRUPT); // by another thread
        returning.waitForExit();
        assertThrows(ActorStoppedException.class, values::hasNext);
    }

    @AllStrategies
    void softerStopsLetTheCodeContinue(ThreadStrategy strategy) {
        for (StopMode mode : List.of(StopMode.DRAIN, StopMode.DISCARD)) {
            var begun = new CountDownLatch(1);
            Generator<Integer> generator = generator(
                    strategy,
                    out -> {
                        begun.countDown();
                        numbers(100).accept(out);
                    },
                    SMALL);
            await().until(() -> begun.getCount() == 0);
            generator.stop(mode);
            assertEquals(upTo(100), all(generator), mode.toString());
        }
    }

    @AllStrategies
    void theReaderGetsTheValuesAndThenTheFailure(ThreadStrategy strategy) {
        for (Throwable cause : List.of(new IllegalStateException("on purpose"), new AssertionError("on purpose"))) {
            var values = generator(strategy, failing(cause), SMALL).iterator();
            assertEquals(1, values.next());
            assertEquals(2, values.next());
            assertSame(cause, assertThrows(cause.getClass(), values::hasNext));
            assertSame(cause, assertThrows(cause.getClass(), values::next));
        }
        for (Exception cause : List.of(new IOException("on purpose"), new CancellationException("on purpose"))) {
            aFailureThatIsWrapped(strategy, cause);
        }
    }

    private void aFailureThatIsWrapped(ThreadStrategy strategy, Exception checked) {
        Generator<Integer> generator = generator(strategy, failing(checked), SMALL);
        var read = new ArrayList<Integer>();
        var e = assertThrows(GeneratorFailedException.class, () -> generator.forEach(read::add));
        assertSame(checked, e.getCause());
        assertEquals(List.of(1, 2), read);
        assertEquals(Reason.FAILED, generator.exit().join().reason());
    }

    private static ThrowingConsumer<Consumer<Integer>> failing(Throwable cause) {
        return out -> {
            out.accept(1);
            out.accept(2);
            if (cause instanceof Error error) {
                throw error;
            }
            throw (Exception) cause;
        };
    }

    @AllStrategies
    void anInterruptOfTheReaderEndsItsWait(ThreadStrategy strategy) throws Exception {
        var never = new CountDownLatch(1);
        Generator<Integer> generator = generator(strategy, out -> never.await(), SMALL);
        var thrown = new CompletableFuture<Boolean>();
        Thread reader = Thread.startVirtualThread(() -> {
            assertThrows(ActorInterruptedException.class, generator.iterator()::hasNext);
            thrown.complete(Thread.interrupted());
        });
        reader.interrupt();
        assertTrue(thrown.get(30, TimeUnit.SECONDS));
        generator.close();
    }

    @AllStrategies
    void onlyTheCodeItselfYieldsAndOnlyWhileItRuns(ThreadStrategy strategy) throws Exception {
        var kept = new CompletableFuture<Consumer<Integer>>();
        Generator<Integer> generator = generator(
                strategy,
                out -> {
                    kept.complete(out);
                    assertThrows(NullPointerException.class, () -> out.accept(null));
                    var other = new CompletableFuture<Throwable>();
                    Thread.startVirtualThread(
                            () -> other.complete(assertThrows(IllegalStateException.class, () -> out.accept(1))));
                    other.get(30, TimeUnit.SECONDS);
                    out.accept(7);
                },
                SMALL);
        assertEquals(List.of(7), all(generator));
        assertThrows(IllegalStateException.class, () -> kept.join().accept(1));
        assertTrue(generator.waitForExit(Duration.ofSeconds(30)));
        assertTrue(generator.exit().join().isNormal(), "the assertions in the code hold");
    }

    @Test
    void badInput() {
        assertThrows(
                IllegalArgumentException.class,
                () -> GeneratorOptions.defaults().buffer(0));
        assertThrows(
                IllegalArgumentException.class,
                () -> GeneratorOptions.defaults().buffer(-1));
        var tooLarge = assertThrows(
                IllegalArgumentException.class,
                () -> GeneratorOptions.defaults().buffer(Integer.MAX_VALUE));
        assertTrue(tooLarge.getMessage().startsWith("buffer must be at most 2147483639"), tooLarge.getMessage());
        assertThrows(NullPointerException.class, () -> generator(ThreadStrategy.virtual(), null, SMALL));
        assertThrows(NullPointerException.class, () -> generator(ThreadStrategy.virtual(), numbers(1), null));
        var generator = generator(ThreadStrategy.virtual(), numbers(1), SMALL);
        var unused = generator.iterator();
        assertThrows(IllegalStateException.class, generator::iterator, "one reader");
        assertThrows(IllegalStateException.class, generator::stream);
        assertThrows(NullPointerException.class, () -> generator.close(null));
    }

    @Test
    void theActorIsFoundByItsName() {
        Generator<Integer> generator = Generator.start(system.actor("numbers"), numbers(10), SMALL);
        assertSame(generator, system.find("numbers").orElseThrow());
        generator.close();
        assertTrue(system.find("numbers").isEmpty());
    }
}
