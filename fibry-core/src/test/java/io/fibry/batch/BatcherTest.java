package io.fibry.batch;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.Actor;
import io.fibry.ActorStoppedException;
import io.fibry.MailboxFullException;
import io.fibry.Overflow;
import io.fibry.ReplyActor;
import io.fibry.ReplyTo;
import io.fibry.StopMode;
import io.fibry.ThreadStrategy;
import io.fibry.testing.AllStrategies;
import io.fibry.testing.LogLines;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class BatcherTest extends BatcherCase {

    private static final Duration SHORT = Duration.ofMillis(1);

    private Actor<Integer> batcher(ThreadStrategy strategy, BatchOptions options) {
        return Batcher.start(system.actor().strategy(strategy), batches::add, options);
    }

    private ReplyActor<Integer, Integer> squares(ThreadStrategy strategy, BatchOptions options) {
        return Batcher.startWithReturn(
                system.actor().strategy(strategy),
                (List<Integer> numbers) -> {
                    batches.add(numbers);
                    return numbers.stream().map(n -> n * n).toList();
                },
                options);
    }

    private static List<Integer> upTo(int n) {
        return IntStream.range(0, n).boxed().toList();
    }

    private List<Integer> all() {
        return batches.stream().flatMap(List::stream).toList();
    }

    private void awaitBatches(int n) {
        await().atMost(Duration.ofSeconds(30)).until(() -> batches.size() >= n);
    }

    private static <T> T value(CompletableFuture<T> future) throws Exception {
        return future.get(30, TimeUnit.SECONDS);
    }

    private static Throwable failure(CompletableFuture<?> future) {
        return assertThrows(ExecutionException.class, () -> future.get(30, TimeUnit.SECONDS))
                .getCause();
    }

    @AllStrategies(direct = true)
    void aFullBatchIsHandedOnAtOnce(ThreadStrategy strategy) {
        var batcher = batcher(strategy, BatchOptions.of(3, LONG));
        upTo(7).forEach(batcher::tell);
        awaitBatches(2);
        assertEquals(List.of(List.of(0, 1, 2), List.of(3, 4, 5)), batches);
        batcher.close();
        assertEquals(List.of(6), batches.get(2));
    }

    @AllStrategies(direct = true)
    void aBatchIsHandedOnWhenItsTimeIsUp(ThreadStrategy strategy) {
        var batcher = batcher(strategy, BatchOptions.of(1_000_000, SHORT));
        for (int i = 1; i <= 3; i++) {
            batcher.tell(i);
            awaitBatches(i);
        }
        assertEquals(List.of(List.of(1), List.of(2), List.of(3)), batches);
    }

    @AllStrategies(direct = true)
    void theTimeOfAFullBatchDoesNotCutTheNextOne(ThreadStrategy strategy) {
        var batcher = batcher(strategy, BatchOptions.of(2, LONG));
        upTo(2).forEach(batcher::tell);
        awaitBatches(1);
        for (int i = 0; i < 100; i++) { // with a timer each, which must not expire any more
            var quick = batcher(strategy, BatchOptions.of(2, SHORT));
            quick.tell(1);
            quick.tell(2);
            quick.close();
        }
        batcher.close();
        assertTrue(batches.stream().allMatch(batch -> !batch.isEmpty()), batches.toString());
        assertEquals(202, all().size());
    }

    @AllStrategies
    void nothingIsLostAndTheOrderIsKept(ThreadStrategy strategy) throws Exception {
        var batcher = batcher(strategy, BatchOptions.of(7, SHORT).bounded(3, Overflow.BLOCK));
        var senders = new ArrayList<Thread>();
        for (int s = 0; s < 4; s++) {
            int from = s * 1_000;
            senders.add(Thread.startVirtualThread(
                    () -> IntStream.range(from, from + 1_000).forEach(batcher::tell)));
        }
        for (Thread sender : senders) {
            assertTrue(sender.join(Duration.ofSeconds(30)));
        }
        batcher.close();
        for (int s = 0; s < 4; s++) {
            int sender = s;
            assertEquals(
                    IntStream.range(s * 1_000, (s + 1) * 1_000).boxed().toList(),
                    all().stream().filter(n -> n / 1_000 == sender).toList());
        }
        assertTrue(batches.stream().allMatch(batch -> batch.size() <= 7));
        await().until(() -> system.stats().handledBySource().sent() == 4_000);
        assertEquals(4_000, system.stats().sent());
    }

    @AllStrategies(direct = true)
    void eachAskGetsItsOwnReply(ThreadStrategy strategy) throws Exception {
        var squares = squares(strategy, BatchOptions.of(3, SHORT));
        var asks = upTo(10).stream().map(squares::ask).toList();
        for (int i = 0; i < 10; i++) {
            assertEquals(i * i, value(asks.get(i)));
        }
        squares.tell(11); // needs none
        assertEquals(144, value(squares.ask(12)));
    }

    @AllStrategies
    void anAskThatIsGivenUpIsLeftOut(ThreadStrategy strategy) throws Exception {
        var squares = squares(strategy, BatchOptions.of(3, LONG));
        var givenUp = squares.ask(1);
        var second = squares.ask(2);
        await().until(() -> system.stats().handled() == 2);
        givenUp.cancel(false);
        assertEquals(9, value(squares.ask(3)));
        assertEquals(4, value(second));
        assertEquals(List.of(2, 3), all());
    }

    @AllStrategies(direct = true)
    void aBatchOfCancelledAsksIsNotHandled(ThreadStrategy strategy) {
        var squares = squares(strategy, BatchOptions.of(2, LONG));
        var givenUp = squares.ask(1);
        await().until(() -> system.stats().handled() == 1);
        givenUp.cancel(false);
        squares.close();
        assertEquals(List.of(), batches);
    }

    @AllStrategies(direct = true)
    void theLastBatchGetsItsRepliesAtAStop(ThreadStrategy strategy) throws Exception {
        var squares = squares(strategy, BatchOptions.of(100, LONG));
        var asks = upTo(10).stream().map(squares::ask).toList();
        squares.tell(10);
        squares.close();
        for (int i = 0; i < 10; i++) {
            assertEquals(i * i, value(asks.get(i)));
        }
        assertEquals(List.of(upTo(11)), batches);
    }

    @AllStrategies
    void aHarderStopDiscardsWaitingButNotCollectedMessages(ThreadStrategy strategy) throws Exception {
        for (StopMode mode : List.of(StopMode.DISCARD, StopMode.INTERRUPT)) {
            batches.clear();
            var squares = squares(strategy, BatchOptions.of(100, LONG));
            long before = system.stats().handled();
            squares.tell(1);
            var asked = squares.ask(2);
            await().until(() -> system.stats().handled() == before + 2);
            squares.stop(mode);
            squares.waitForExit();
            if (asked.isCompletedExceptionally()) {
                assertInstanceOf(ActorStoppedException.class, failure(asked));
            } else { // the last batch was quicker than the stop
                assertEquals(4, value(asked));
                assertEquals(List.of(1, 2), batches.getFirst(), mode.toString());
            }
            assertEquals(1, batches.size(), mode.toString());
            assertEquals(1, batches.getFirst().getFirst(), mode.toString());
            assertThrows(ActorStoppedException.class, () -> squares.tell(3));
        }
    }

    @AllStrategies
    void aFullMailboxSlowsOrRefusesSenders(ThreadStrategy strategy) throws Exception {
        var at = new CountDownLatch(1);
        var go = new CountDownLatch(1);
        Actor<Integer> batcher = Batcher.start(
                system.actor().strategy(strategy),
                (List<Integer> batch) -> {
                    at.countDown();
                    go.await();
                    batches.add(batch);
                },
                BatchOptions.of(1, LONG).bounded(2, Overflow.FAIL));
        batcher.tell(0);
        at.await();
        batcher.tell(1);
        batcher.tell(2);
        assertThrows(MailboxFullException.class, () -> batcher.tell(3));
        go.countDown();
        batcher.close();
        assertEquals(List.of(List.of(0), List.of(1), List.of(2)), batches);
    }

    @AllStrategies
    void anInterruptReachesTheCurrentBatch(ThreadStrategy strategy) throws Exception {
        var at = new CountDownLatch(1);
        var never = new CountDownLatch(1);
        Actor<Integer> batcher = Batcher.start(
                system.actor().strategy(strategy),
                (List<Integer> batch) -> {
                    at.countDown();
                    never.await();
                },
                BatchOptions.of(1, LONG));
        batcher.tell(0);
        at.await();
        batcher.tell(1);
        batcher.stop(StopMode.INTERRUPT);
        assertTrue(batcher.waitForExit(Duration.ofSeconds(30)));
        assertEquals(1, batcher.exit().join().discarded());
    }

    @AllStrategies
    void theLastBatchThatBlocksIsInterruptedByAClose(ThreadStrategy strategy) {
        var never = new CountDownLatch(1);
        Actor<Integer> batcher = Batcher.start(
                system.actor().strategy(strategy), (List<Integer> batch) -> never.await(), BatchOptions.of(9, LONG));
        batcher.tell(0);
        boolean unused = batcher.close(Duration.ofMillis(1)); // forces the stop
        assertTrue(batcher.close(Duration.ofSeconds(30)));
    }

    @AllStrategies
    void aFailureFailsTheAsksAndIsLoggedForOtherMessages(ThreadStrategy strategy) throws Exception {
        var cause = new IllegalStateException("on purpose");
        ReplyActor<Integer, Integer> failing = Batcher.startWithReturn(
                system.actor().strategy(strategy),
                (List<Integer> batch) -> {
                    throw cause;
                },
                BatchOptions.of(2, LONG));
        try (var log = new LogLines()) {
            var first = failing.ask(1);
            assertSame(cause, failure(failing.ask(2)));
            assertSame(cause, failure(first));
            assertEquals(List.of(), log.with("on purpose"));
            failing.tell(3);
            assertSame(cause, failure(failing.ask(4)));
            await().until(() -> !log.with("a batch of 2 messages failed, 1 of them without an asker")
                    .isEmpty());
        }
        try (var log = new LogLines()) {
            failing.tell(5);
            failing.close();
            assertFalse(log.with("on purpose").isEmpty(), "the last batch, too");
        }
    }

    @AllStrategies
    void repliesAreAsManyAsMessages(ThreadStrategy strategy) {
        ReplyActor<Integer, Integer> wrong = Batcher.startWithReturn(
                system.actor().strategy(strategy), (List<Integer> batch) -> List.of(1), BatchOptions.of(2, LONG));
        var first = wrong.ask(1);
        var second = wrong.ask(2);
        assertTrue(failure(first).getMessage().contains("2 messages needs as many replies, not 1"));
        assertInstanceOf(IllegalStateException.class, failure(second));
        ReplyActor<Integer, Integer> none = Batcher.startWithReturn(
                system.actor().strategy(strategy), (List<Integer> batch) -> null, BatchOptions.of(1, LONG));
        assertInstanceOf(NullPointerException.class, failure(none.ask(1)));
    }

    @AllStrategies(direct = true)
    void aMessageCanCarryItsReplyTo(ThreadStrategy strategy) throws Exception {
        record Put(int n, ReplyTo<String> done) {}
        Actor<Put> store = Batcher.start(
                system.actor().strategy(strategy),
                (List<Put> puts) -> puts.forEach(put -> put.done().reply("stored " + put.n())),
                BatchOptions.of(2, LONG));
        CompletableFuture<String> one = store.ask(done -> new Put(1, done), LONG);
        assertEquals("stored 2", value(store.<String>ask(done -> new Put(2, done), LONG)));
        assertEquals("stored 1", value(one));
    }

    @AllStrategies(direct = true)
    void theCloseOfTheSystemHandsTheLastBatchOn(ThreadStrategy strategy) {
        var batcher = batcher(strategy, BatchOptions.of(100, LONG));
        batcher.tell(1);
        system.close();
        assertEquals(List.of(List.of(1)), batches);
    }

    @Test
    void badInput() {
        assertThrows(IllegalArgumentException.class, () -> BatchOptions.of(0, LONG));
        assertThrows(IllegalArgumentException.class, () -> BatchOptions.of(-1, LONG));
        assertThrows(IllegalArgumentException.class, () -> BatchOptions.of(1, Duration.ZERO));
        assertThrows(IllegalArgumentException.class, () -> BatchOptions.of(1, Duration.ofNanos(-1)));
        assertThrows(NullPointerException.class, () -> BatchOptions.of(1, null));
        assertThrows(
                IllegalArgumentException.class, () -> BatchOptions.of(1, LONG).bounded(0, Overflow.FAIL));
        assertThrows(NullPointerException.class, () -> BatchOptions.of(1, LONG).bounded(1, null));
        var batcher = batcher(ThreadStrategy.virtual(), BatchOptions.of(1, Duration.ofSeconds(Long.MAX_VALUE)));
        assertThrows(NullPointerException.class, () -> batcher.tell(null));
        assertEquals(5, BatchOptions.of(5, LONG).maxSize());
        assertEquals(LONG, BatchOptions.of(5, LONG).maxDelay());
    }
}
