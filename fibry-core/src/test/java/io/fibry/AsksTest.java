package io.fibry;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.testing.AllStrategies;
import io.fibry.testing.NoLeftovers;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Groups of asks.
 *
 * <p>Seen to fail: a result that keeps its timer, asks that continue after the result, and replies in the order of
 * their arrival.
 */
@ExtendWith(NoLeftovers.class)
@Timeout(value = 60, threadMode = ThreadMode.SEPARATE_THREAD)
class AsksTest {

    private static final Duration LONG = Duration.ofDays(1);
    private static final Duration SHORT = Duration.ofMillis(10);

    private final ActorSystem system = ActorSystem.create();
    private final Semaphore gate = new Semaphore(0);
    private final List<Integer> begun = new CopyOnWriteArrayList<>();

    @AfterEach
    void close() {
        gate.release(1_000);
        system.close();
    }

    /** Replies with the square; fails for 0, and waits for the gate if the number is negative. */
    private ReplyActor<Integer, Integer> squares(ThreadStrategy strategy) {
        return system.actor().strategy(strategy).newActorWithReturn((Integer i) -> {
            begun.add(i);
            if (i == 0) {
                throw new IllegalArgumentException("on purpose");
            }
            if (i < 0) {
                gate.acquire();
            }
            return i * i;
        });
    }

    private static <T> T value(CompletableFuture<T> future) throws Exception {
        return future.get(30, TimeUnit.SECONDS);
    }

    private static Throwable failure(CompletableFuture<?> future) {
        return assertThrows(ExecutionException.class, () -> future.get(30, TimeUnit.SECONDS))
                .getCause();
    }

    @AllStrategies(direct = true)
    void repliesHaveTheOrderOfTheAsks(ThreadStrategy strategy) throws Exception {
        var asks = IntStream.rangeClosed(1, 100)
                .mapToObj(i -> squares(strategy).ask(i))
                .toList();
        List<Integer> replies = value(Asks.all(asks, LONG));
        assertEquals(IntStream.rangeClosed(1, 100).mapToObj(i -> i * i).toList(), replies);
        assertThrows(UnsupportedOperationException.class, () -> replies.add(1));
    }

    @AllStrategies
    void theSlowestReplyKeepsItsPlaceInTheList(ThreadStrategy strategy) throws Exception {
        var slow = squares(strategy).ask(-3);
        var quick = squares(strategy).ask(2);
        CompletableFuture<List<Integer>> all = Asks.all(List.of(slow, quick), LONG);
        assertEquals(4, value(quick));
        gate.release();
        assertEquals(List.of(9, 4), value(all));
    }

    @AllStrategies
    void theFirstFailureEndsAllAndCancelsTheOthers(ThreadStrategy strategy) throws Exception {
        var busy = squares(strategy);
        var running = busy.ask(-1);
        var waiting = busy.ask(5);
        await().until(() -> begun.contains(-1));
        var failing = squares(strategy).ask(0);
        var all = Asks.all(List.of(running, waiting, failing), LONG);
        assertSame(failure(failing), failure(all));
        await().until(() -> running.isCancelled() && waiting.isCancelled());
        gate.release();
        busy.close();
        assertEquals(List.of(-1, 0), begun.stream().sorted().toList(), "5 is skipped");
        assertEquals(1, system.stats().dropped());
    }

    @AllStrategies
    void theFirstReplyCompletesFirst(ThreadStrategy strategy) throws Exception {
        var busy = squares(strategy);
        var slow = busy.ask(-1);
        var waiting = busy.ask(5);
        await().until(() -> begun.contains(-1));
        var failing = squares(strategy).ask(0);
        assertInstanceOf(IllegalArgumentException.class, failure(failing));
        CompletableFuture<Integer> first =
                Asks.first(List.of(slow, waiting, failing, squares(strategy).ask(7)), LONG);
        assertEquals(49, value(first));
        await().until(() -> slow.isCancelled() && waiting.isCancelled());
        gate.release();
        busy.close();
        assertEquals(List.of(-1, 0, 7), begun.stream().sorted().toList(), "5 is skipped");
    }

    @AllStrategies(direct = true)
    void firstFailsIfAllFail(ThreadStrategy strategy) {
        var one = squares(strategy).ask(0);
        var two = squares(strategy).ask(0);
        var cause = failure(Asks.first(List.of(one, two), LONG));
        assertTrue(List.of(failure(one), failure(two)).contains(cause), cause.toString());
    }

    @AllStrategies
    void eachHasAReplyOrAFailure(ThreadStrategy strategy) throws Exception {
        var busy = squares(strategy);
        var late = busy.ask(-1);
        var waiting = busy.ask(5);
        await().until(() -> begun.contains(-1));
        var asks = List.of(squares(strategy).ask(2), late, squares(strategy).ask(0), waiting);
        value(asks.get(0));
        failure(asks.get(2));
        List<Future<Integer>> each = value(Asks.each(asks, SHORT));
        assertEquals(4, each.get(0).resultNow());
        assertInstanceOf(AskTimeoutException.class, each.get(1).exceptionNow());
        assertInstanceOf(IllegalArgumentException.class, each.get(2).exceptionNow());
        assertInstanceOf(AskTimeoutException.class, each.get(3).exceptionNow());
        assertTrue(each.get(3).exceptionNow().getMessage().contains("2 of 4 asks have no reply"));
        gate.release();
        busy.close();
        assertTrue(begun.stream().noneMatch(i -> i == 5), "skipped");
    }

    @AllStrategies
    void theDeadlineEndsAllAndFirst(ThreadStrategy strategy) {
        for (int i = 0; i < 2; i++) {
            var late = squares(strategy).ask(-1);
            var other = squares(strategy).ask(-2);
            CompletableFuture<?> result =
                    i == 0 ? Asks.all(List.of(late, other), SHORT) : Asks.first(List.of(late, other), SHORT);
            assertInstanceOf(AskTimeoutException.class, failure(result));
            await().until(() -> late.isCancelled() && other.isCancelled());
        }
    }

    @AllStrategies
    void aResultThatIsGivenUpCancelsItsAsks(ThreadStrategy strategy) {
        for (int i = 0; i < 3; i++) {
            var late = squares(strategy).ask(-1);
            var asks = List.of(late);
            CompletableFuture<?> result =
                    i == 0 ? Asks.all(asks, LONG) : i == 1 ? Asks.first(asks, LONG) : Asks.each(asks, LONG);
            result.cancel(false);
            assertTrue(late.isCancelled());
        }
    }

    @AllStrategies
    void anActorThatEndsFailsItsAsk(ThreadStrategy strategy) throws Exception {
        var ended = squares(strategy);
        ended.close();
        var asks = List.of(ended.ask(1), squares(strategy).ask(3));
        assertInstanceOf(ActorStoppedException.class, failure(Asks.all(List.of(ended.ask(1)), LONG)));
        assertEquals(9, value(Asks.first(asks, LONG)));
    }

    /** The clock would retain the result for a day. */
    @Test
    void noTimerIsLeftBehind() throws Exception {
        var results = new ArrayList<WeakReference<?>>();
        var squares = squares(ThreadStrategy.virtual());
        for (int i = 1; i <= 20; i++) {
            var asks = List.of(squares.ask(i), squares.ask(i));
            var all = Asks.all(asks, LONG);
            var first = Asks.first(List.of(squares.ask(i), squares.ask(i)), LONG);
            var each = Asks.each(List.of(squares.ask(i), squares.ask(0)), LONG);
            value(all);
            value(first);
            value(each);
            results.addAll(List.of(new WeakReference<>(all), new WeakReference<>(first), new WeakReference<>(each)));
        }
        await().until(() -> {
            System.gc();
            return results.stream().allMatch(result -> result.refersTo(null));
        });
    }

    @Test
    void noReplyIsLeftBehind() throws Exception {
        var replies = squares(ThreadStrategy.virtual());
        ReplyActor<Integer, Integer> never = system.actor().newActorWithReturnFrom(context -> i -> {
            context.deferReply();
            return 0;
        });
        for (int i = 0; i < 3; i++) {
            var open = never.ask(1);
            var asks = List.of(open, replies.ask(2));
            if (i == 0) {
                value(Asks.first(asks, LONG));
            } else if (i == 1) {
                value(Asks.each(asks, SHORT));
            } else {
                failure(Asks.all(asks, SHORT));
            }
            await().until(open::isDone);
            assertEquals(0, open.getNumberOfDependents());
        }
    }

    @Test
    void emptyAndBadInput() throws Exception {
        List<CompletableFuture<Integer>> none = List.of();
        assertEquals(List.of(), value(Asks.all(none, LONG)));
        assertEquals(List.of(), value(Asks.each(none, LONG)));
        assertThrows(IllegalArgumentException.class, () -> Asks.first(none, LONG));
        var nothing = system.actor().newActorWithReturn((Integer i) -> (Integer) null);
        assertNull(value(Asks.all(List.of(nothing.ask(1)), LONG)).getFirst());
        assertNull(value(Asks.first(List.of(nothing.ask(1)), LONG)));
        assertThrows(NullPointerException.class, () -> Asks.all(null, LONG));
        assertThrows(NullPointerException.class, () -> Asks.all(List.of(nothing.ask(1)), null));
        var withNull = new ArrayList<CompletableFuture<Integer>>();
        withNull.add(null);
        assertThrows(NullPointerException.class, () -> Asks.each(withNull, LONG));
        var open = squares(ThreadStrategy.virtual()).ask(-1);
        assertInstanceOf(AskTimeoutException.class, failure(Asks.all(List.of(open), Duration.ZERO)));
    }
}
