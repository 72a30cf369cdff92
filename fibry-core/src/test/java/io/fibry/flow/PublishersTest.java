package io.fibry.flow;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.ActorStoppedException;
import io.fibry.ActorSystem;
import io.fibry.Overflow;
import io.fibry.StopMode;
import io.fibry.generator.Generator;
import io.fibry.generator.GeneratorOptions;
import io.fibry.stereotypes.Stereotypes;
import io.fibry.testing.Await;
import io.fibry.testing.LogLines;
import io.fibry.testing.NoLeftovers;
import io.fibry.topic.LocalTopic;
import io.fibry.topic.TopicOptions;
import io.reactivex.rxjava3.core.Flowable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Flow;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.reactivestreams.FlowAdapters;
import reactor.adapter.JdkFlowAdapter;
import reactor.core.publisher.Flux;

@ExtendWith(NoLeftovers.class)
@Timeout(60)
class PublishersTest {

    private final ActorSystem system = ActorSystem.create();
    private final Stereotypes stereotypes = Stereotypes.def().in(system);

    @AfterEach
    void close() {
        system.close();
    }

    /** Records its items, and requests nothing by itself. */
    private static class Reader implements Flow.Subscriber<Integer> {
        final CompletableFuture<Flow.Subscription> subscription = new CompletableFuture<>();
        final List<Integer> seen = new CopyOnWriteArrayList<>();
        final CompletableFuture<Void> end = new CompletableFuture<>();

        @Override
        public void onSubscribe(Flow.Subscription s) {
            subscription.complete(s);
        }

        @Override
        public void onNext(Integer item) {
            seen.add(item);
        }

        @Override
        public void onError(Throwable t) {
            end.completeExceptionally(t);
        }

        @Override
        public void onComplete() {
            end.complete(null);
        }

        Reader of(Flow.Publisher<Integer> publisher) {
            publisher.subscribe(this);
            return this;
        }

        void request(long n) {
            subscription.join().request(n);
        }

        void awaitSeen(int n) {
            await().until(() -> seen.size() == n);
        }

        Throwable failure() {
            await().until(end::isDone);
            return end.exceptionNow();
        }
    }

    private Generator<Integer> numbers(int n) {
        return stereotypes.generator(
                out -> IntStream.range(0, n).forEach(out::accept),
                GeneratorOptions.defaults().buffer(2));
    }

    private static List<Integer> upTo(int n) {
        return IntStream.range(0, n).boxed().toList();
    }

    private void awaitNoActors() {
        await().until(() -> system.actors().findAny().isEmpty());
    }

    // ---- of a generator

    @Test
    void aGeneratorYieldsNoMoreThanRequested() {
        Reader reader = new Reader().of(stereotypes.publisher(numbers(5)));
        reader.request(2);
        reader.awaitSeen(2);
        reader.request(1);
        reader.awaitSeen(3);
        assertFalse(reader.end.isDone());
        reader.request(Long.MAX_VALUE);
        reader.request(Long.MAX_VALUE);
        reader.end.join();
        assertEquals(upTo(5), reader.seen);
        awaitNoActors();
    }

    @Test
    void anEmptyGeneratorCompletesWithoutARequest() {
        new Reader().of(stereotypes.publisher(numbers(0))).end.join();
    }

    @Test
    void aCancelClosesTheGenerator() {
        Generator<Integer> endless = numbers(Integer.MAX_VALUE);
        Reader reader = new Reader().of(stereotypes.publisher(endless));
        reader.request(3);
        reader.awaitSeen(3);
        reader.subscription.join().cancel();
        reader.subscription.join().cancel();
        endless.waitForExit();
        awaitNoActors();
        assertFalse(reader.end.isDone());
        reader.request(1);
        reader.request(-1);
    }

    @Test
    void theFailureOfAGeneratorFollowsItsValues() {
        var failure = new IllegalArgumentException("on purpose");
        Generator<Integer> generator = stereotypes.generator(
                out -> {
                    out.accept(0);
                    throw failure;
                },
                GeneratorOptions.defaults());
        Reader reader = new Reader().of(stereotypes.publisher(generator));
        reader.request(5);
        assertSame(failure, reader.failure());
        assertEquals(upTo(1), reader.seen);
    }

    @Test
    void anErrorOfTheSourceEndsTheSubscription() {
        Iterable<Integer> source = () -> {
            throw new LinkageError("on purpose");
        };
        Reader reader = new Reader().of(Publishers.ofIterable(system, source, () -> {}));
        assertInstanceOf(ActorStoppedException.class, Await.failure(reader.end));
    }

    @Test
    void aSecondSubscriberIsRefusedWithoutAffectingTheFirst() {
        Flow.Publisher<Integer> publisher = stereotypes.publisher(numbers(5));
        Reader first = new Reader().of(publisher);
        first.subscription.join();
        var second = new Reader() {
            @Override
            public void onSubscribe(Flow.Subscription s) {
                super.onSubscribe(s);
                s.request(-1);
                s.cancel();
            }
        };
        publisher.subscribe(second);
        assertInstanceOf(IllegalStateException.class, second.failure());
        first.request(5);
        first.end.join();
        assertEquals(upTo(5), first.seen);
    }

    @Test
    void anInvalidRequestEndsTheSubscription() {
        Generator<Integer> endless = numbers(Integer.MAX_VALUE);
        Reader reader = new Reader().of(stereotypes.publisher(endless));
        reader.request(0);
        assertInstanceOf(IllegalArgumentException.class, reader.failure());
        endless.waitForExit();
    }

    @Test
    void aSubscriberThatThrowsIsCancelledAndLogged() {
        Generator<Integer> endless = numbers(Integer.MAX_VALUE);
        var reader = new Reader() {
            @Override
            public void onNext(Integer item) {
                throw new IllegalStateException("on purpose");
            }
        };
        try (var log = new LogLines()) {
            reader.of(stereotypes.publisher(endless)).request(1);
            endless.waitForExit();
            assertEquals(1, log.with("ERROR", "A Flow.Subscriber has thrown").size(), log::text);
        }
    }

    @Test
    void aCloseOfTheSystemFailsIncompleteSubscriptions() {
        Reader reader = new Reader().of(stereotypes.publisher(numbers(Integer.MAX_VALUE)));
        reader.request(1);
        reader.awaitSeen(1);
        system.close(Duration.ZERO);
        assertInstanceOf(ActorStoppedException.class, reader.failure());
        Reader late = new Reader().of(Publishers.ofIterable(system, List.of(1), () -> {}));
        assertInstanceOf(ActorStoppedException.class, late.failure());
    }

    /** The system of the generator is another one, and remains open. */
    @Test
    void aPublisherOfAClosedSystemFailsItsSubscriberAndReleasesItsSource() {
        var closed = ActorSystem.create();
        closed.close();
        Generator<Integer> numbers = numbers(10);
        Reader refused =
                new Reader().of(Publishers.ofIterable(closed, numbers, () -> numbers.stop(StopMode.INTERRUPT)));
        assertInstanceOf(ActorStoppedException.class, refused.failure());
        assertInstanceOf(IllegalStateException.class, refused.failure().getCause());
        awaitNoActors();
        LocalTopic<Integer> topic = stereotypes.topic(TopicOptions.defaults());
        Reader ofTopic = new Reader().of(Publishers.ofActor(closed, topic, topic::subscribe, 1, Overflow.DROP_OLDEST));
        assertInstanceOf(ActorStoppedException.class, ofTopic.failure());
        topic.close();
    }

    @Test
    void aRefusedSubscriberDoesNotReleaseTheSourceOfAnother() {
        var closed = ActorSystem.create();
        closed.close();
        Generator<Integer> numbers = numbers(10);
        Iterator<Integer> other = numbers.iterator();
        Reader refused =
                new Reader().of(Publishers.ofIterable(closed, numbers, () -> numbers.stop(StopMode.INTERRUPT)));
        assertInstanceOf(ActorStoppedException.class, refused.failure());
        var read = new ArrayList<Integer>();
        other.forEachRemaining(read::add);
        assertEquals(upTo(10), read);
    }

    /** A close that discards may end the serving actor before its first turn. */
    @Test
    void aSubscriptionThatEndsBeforeItsFirstTurnBeginsFirst() {
        var failure = new IllegalStateException("on purpose");
        Reader failed = new Reader();
        new Outlet<Integer>(failed, () -> {}).end(failure);
        assertTrue(failed.subscription.isDone());
        assertSame(failure, failed.failure());
        Reader complete = new Reader();
        new Outlet<Integer>(complete, () -> {}).end(null);
        assertTrue(complete.subscription.isDone());
        assertTrue(complete.end.isDone());
    }

    // ---- of a topic

    @Test
    void aTopicPublishesToEachByItsDemand() {
        LocalTopic<Integer> topic = stereotypes.topic(TopicOptions.defaults());
        Flow.Publisher<Integer> publisher = stereotypes.publisher(topic, 10, Overflow.DROP_OLDEST);
        Reader quick = new Reader().of(publisher);
        Reader slow = new Reader().of(publisher);
        quick.request(100);
        slow.request(1);
        upTo(5).forEach(topic::publish);
        quick.awaitSeen(5);
        slow.awaitSeen(1);
        topic.stop();
        quick.end.join();
        assertFalse(slow.end.isDone());
        slow.request(4);
        slow.end.join();
        assertEquals(upTo(5), quick.seen);
        assertEquals(upTo(5), slow.seen);
        awaitNoActors();
    }

    @Test
    void messagesBeyondTheDemandOfASlowSubscriberAreDropped() {
        LocalTopic<Integer> topic = stereotypes.topic(TopicOptions.defaults());
        Reader reader = new Reader().of(stereotypes.publisher(topic, 2, Overflow.DROP_OLDEST));
        Reader counter = new Reader().of(stereotypes.publisher(topic, 100, Overflow.DROP_OLDEST));
        counter.request(100);
        reader.subscription.join();
        topic.publish(0);
        counter.awaitSeen(1); // the slow one may be handling the first message, or have it in its mailbox
        IntStream.range(1, 10).forEach(topic::publish);
        topic.close();
        counter.end.join();
        reader.request(100);
        reader.end.join();
        assertEquals(List.of(8, 9), reader.seen.subList(reader.seen.size() - 2, reader.seen.size()));
        assertTrue(reader.seen.size() <= 3, reader.seen.toString());
    }

    @Test
    void aCancelEndsTheSubscriptionOfATopic() {
        LocalTopic<Integer> topic = stereotypes.topic(TopicOptions.defaults());
        Reader reader = new Reader().of(stereotypes.publisher(topic, 10, Overflow.DROP_NEWEST));
        reader.subscription.join().cancel();
        await().until(() -> topic.stats().subscribers() == 0);
        topic.publish(1);
        topic.close();
        awaitNoActors();
        assertEquals(List.of(), reader.seen);
        assertFalse(reader.end.isDone());
    }

    @Test
    void aTopicThatWasInterruptedIsAFailure() {
        LocalTopic<Integer> topic = stereotypes.topic(TopicOptions.defaults());
        Reader reader = new Reader().of(stereotypes.publisher(topic, 10, Overflow.DROP_NEWEST));
        reader.subscription.join();
        topic.stop(StopMode.INTERRUPT);
        assertInstanceOf(ActorStoppedException.class, reader.failure());
    }

    @Test
    void anEndedTopicCompletesAtOnce() {
        LocalTopic<Integer> topic = stereotypes.topic(TopicOptions.defaults());
        topic.close();
        new Reader()
                .of(stereotypes.publisher(topic, 10, Overflow.DROP_NEWEST))
                .end
                .join();
        awaitNoActors();
    }

    @Test
    void badInputIsRefused() {
        LocalTopic<Integer> topic = stereotypes.topic(TopicOptions.defaults());
        assertThrows(IllegalArgumentException.class, () -> stereotypes.publisher(topic, 0, Overflow.DROP_NEWEST));
        assertThrows(IllegalArgumentException.class, () -> stereotypes.publisher(topic, 1, Overflow.BLOCK));
        assertThrows(IllegalArgumentException.class, () -> stereotypes.publisher(topic, 1, Overflow.FAIL));
        Flow.Publisher<Integer> publisher = stereotypes.publisher(topic, 1, Overflow.DROP_NEWEST);
        assertThrows(NullPointerException.class, () -> publisher.subscribe(null));
        Generator<Integer> generator = numbers(1);
        assertThrows(
                NullPointerException.class,
                () -> stereotypes.publisher(generator).subscribe(null));
        generator.close();
    }

    // ---- with other reactive libraries

    @Test
    void reactorReadsAGeneratorAndFeedsAnActor() {
        List<Integer> seen = new CopyOnWriteArrayList<>();
        FlowSubscriber<Integer> actor = stereotypes.flowSubscriber(4, seen::add);
        Flux<Integer> odd = JdkFlowAdapter.flowPublisherToFlux(stereotypes.publisher(numbers(1_000)))
                .filter(n -> n % 2 == 1)
                .take(100);
        odd.subscribe(FlowAdapters.toSubscriber(actor));
        actor.waitForExit();
        assertEquals(upTo(200).stream().filter(n -> n % 2 == 1).toList(), seen);
        awaitNoActors(); // take has cancelled, which closes the generator
    }

    @Test
    void rxJavaReadsAGeneratorAndFeedsAnActor() {
        var seen = new CopyOnWriteArrayList<Integer>();
        FlowSubscriber<Integer> actor = stereotypes.flowSubscriber(4, seen::add);
        Flowable<Integer> odd = Flowable.fromPublisher(FlowAdapters.toPublisher(stereotypes.publisher(numbers(1_000))))
                .filter(n -> n % 2 == 1)
                .take(100);
        odd.subscribe(FlowAdapters.toSubscriber(actor));
        actor.waitForExit();
        assertEquals(upTo(200).stream().filter(n -> n % 2 == 1).toList(), seen);
        awaitNoActors(); // take has cancelled, which closes the generator
    }
}
