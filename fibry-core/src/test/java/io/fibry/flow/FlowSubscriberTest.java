package io.fibry.flow;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.Actor;
import io.fibry.ActorExit;
import io.fibry.ActorSystem;
import io.fibry.Overflow;
import io.fibry.StopMode;
import io.fibry.ThreadStrategy;
import io.fibry.ThrowingConsumer;
import io.fibry.stereotypes.Stereotypes;
import io.fibry.testing.AllStrategies;
import io.fibry.testing.NoLeftovers;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Flow;
import java.util.concurrent.SubmissionPublisher;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(NoLeftovers.class)
@Timeout(60)
class FlowSubscriberTest {

    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final ActorSystem system = ActorSystem.create();
    private final List<Integer> seen = new CopyOnWriteArrayList<>();

    @AfterEach
    void close() {
        system.close();
    }

    /** Counts the requested items, and sends nothing by itself. */
    private static final class Source implements Flow.Subscription {
        private final AtomicInteger requested = new AtomicInteger();
        private final AtomicInteger cancelled = new AtomicInteger();

        @Override
        public void request(long n) {
            requested.addAndGet((int) n);
        }

        @Override
        public void cancel() {
            cancelled.incrementAndGet();
        }

        void awaitRequested(int n) {
            await().until(() -> requested.get() == n);
        }
    }

    private FlowSubscriber<Integer> subscriber(
            ThreadStrategy strategy, int window, ThrowingConsumer<Integer> behavior) {
        return Stereotypes.with(strategy).in(system).flowSubscriber(window, behavior);
    }

    private FlowSubscriber<Integer> subscriber(int window, ThrowingConsumer<Integer> behavior) {
        return subscriber(ThreadStrategy.virtual(), window, behavior);
    }

    @AllStrategies
    void theSubscriberHandlesAllItemsInOrderAndEndsWithItsPublisher(ThreadStrategy strategy) {
        var subscriber = subscriber(strategy, 8, seen::add);
        try (var publisher = new SubmissionPublisher<Integer>()) {
            publisher.subscribe(subscriber);
            IntStream.range(0, 1_000).forEach(publisher::submit);
        }
        assertTrue(subscriber.exit().join().isNormal());
        assertEquals(IntStream.range(0, 1_000).boxed().toList(), seen);
    }

    @Test
    void theSubscriberRequestsHandledItemsByHalvesOfItsWindow() {
        var source = new Source();
        var subscriber = subscriber(4, seen::add);
        subscriber.onSubscribe(source);
        source.awaitRequested(4);
        subscriber.onNext(1);
        subscriber.onNext(2);
        source.awaitRequested(6);
        subscriber.onNext(3);
        await().until(() -> seen.size() == 3);
        assertEquals(6, source.requested.get());
        subscriber.onNext(4);
        source.awaitRequested(8);
    }

    @Test
    void aSlowActorSlowsThePublisher() throws Exception {
        var go = new CountDownLatch(1);
        Actor<Integer> slow = system.actor().bounded(2, Overflow.BLOCK).newActor(n -> {
            go.await();
            seen.add(n);
        });
        var source = new Source();
        var subscriber = subscriber(4, slow::tell);
        subscriber.onSubscribe(source);
        source.awaitRequested(4);
        for (int i = 0; i < 4; i++) {
            subscriber.onNext(i);
        }
        source.awaitRequested(6); // one being handled, two in the mailbox, one on its way
        go.countDown();
        source.awaitRequested(8);
        subscriber.onComplete();
        assertTrue(subscriber.waitForExit(MINUTE));
        await().until(() -> seen.size() == 4);
    }

    @Test
    void aFailureOfThePublisherFollowsItsItems() {
        var source = new Source();
        var subscriber = subscriber(4, seen::add);
        subscriber.onSubscribe(source);
        source.awaitRequested(4);
        var cause = new IOException("on purpose");
        subscriber.onNext(1);
        subscriber.onNext(2);
        subscriber.onError(cause);
        ActorExit exit = subscriber.exit().join();
        assertSame(cause, exit.cause());
        assertEquals(List.of(1, 2), seen);
        assertEquals(0, source.cancelled.get());
    }

    @Test
    void aFailureOfItsBehaviorCancels() {
        var source = new Source();
        var cause = new IllegalStateException("on purpose");
        var subscriber = subscriber(4, n -> {
            throw cause;
        });
        subscriber.onSubscribe(source);
        source.awaitRequested(4);
        subscriber.onNext(1);
        assertSame(cause, subscriber.exit().join().cause());
        assertEquals(1, source.cancelled.get());
        subscriber.onNext(2); // sent before the publisher knew
        subscriber.onComplete();
    }

    @Test
    void aStopCancelsAfterTheReceivedItems() {
        for (StopMode mode : StopMode.values()) {
            var source = new Source();
            var subscriber = subscriber(4, seen::add);
            subscriber.onSubscribe(source);
            source.awaitRequested(4);
            subscriber.stop(mode);
            assertTrue(subscriber.waitForExit(MINUTE));
            assertEquals(1, source.cancelled.get(), mode.toString());
            subscriber.onNext(1);
        }
        assertEquals(List.of(), seen);
    }

    @Test
    void aSecondSubscriptionIsCancelled() {
        var subscriber = subscriber(4, seen::add);
        var first = new Source();
        var second = new Source();
        subscriber.onSubscribe(first);
        subscriber.onSubscribe(second);
        assertEquals(1, second.cancelled.get());
        first.awaitRequested(4);
        subscriber.close();
        assertEquals(1, first.cancelled.get());
        var late = new Source();
        subscriber.onSubscribe(late);
        assertEquals(1, late.cancelled.get());
        assertEquals(0, late.requested.get());
    }

    @Test
    void aPublisherThatSendsTooManyItemsIsCancelled() throws Exception {
        var running = new CountDownLatch(1);
        var go = new CountDownLatch(1);
        var source = new Source();
        var subscriber = subscriber(1, n -> {
            running.countDown();
            go.await();
        });
        subscriber.onSubscribe(source);
        source.awaitRequested(1);
        subscriber.onNext(0);
        running.await();
        for (int i = 1; i < 5; i++) {
            subscriber.onNext(i);
        }
        go.countDown();
        var cause = assertInstanceOf(
                IllegalStateException.class, subscriber.exit().join().cause());
        assertTrue(cause.getMessage().contains("more items than requested"), cause.getMessage());
        assertEquals(1, source.cancelled.get());
    }

    @Test
    void badInputIsRefused() {
        assertThrows(IllegalArgumentException.class, () -> subscriber(0, seen::add));
        var tooLarge = assertThrows(IllegalArgumentException.class, () -> subscriber(Integer.MAX_VALUE, seen::add));
        assertEquals("the window must be from 1 to 2147483645, not 2147483647", tooLarge.getMessage());
        assertThrows(NullPointerException.class, () -> subscriber(1, null));
        var subscriber = subscriber(1, seen::add);
        assertThrows(NullPointerException.class, () -> subscriber.onSubscribe(null));
        assertThrows(NullPointerException.class, () -> subscriber.onNext(null));
        assertThrows(NullPointerException.class, () -> subscriber.onError(null));
    }
}
