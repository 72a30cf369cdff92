package io.fibry.topic;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.Actor;
import io.fibry.ActorStoppedException;
import io.fibry.ForwardingActor;
import io.fibry.MailboxFullException;
import io.fibry.Overflow;
import io.fibry.ReplyTo;
import io.fibry.StopMode;
import io.fibry.ThreadStrategy;
import io.fibry.testing.AllStrategies;
import io.fibry.testing.LogLines;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Subscribers and topics that end or fail, limits of a topic, its counts, and bad input. */
class TopicEndsTest extends TopicCase {

    @AllStrategies
    void endedSubscribersAreRemoved(ThreadStrategy strategy) {
        LocalTopic<Integer> topic = topic(strategy, DEFAULTS);
        var ended = new Reader(strategy, false);
        var alive = new Reader(strategy, false);
        topic.subscribe(ended.actor);
        topic.subscribe(alive.actor);
        assertEquals(2, topic.stats().subscribers());
        ended.actor.close();
        await().until(() -> topic.stats().subscribers() == 1);
        topic.subscribe(ended.actor); // has ended before
        await().until(() -> topic.stats().subscribers() == 1);
        topic.publish(7);
        alive.awaitCount(1);
        assertEquals(0, topic.stats().missed());
    }

    @AllStrategies
    void theQueueOfASubscriberThatHasEndedEnds(ThreadStrategy strategy) throws Exception {
        LocalTopic<Integer> topic = topic(strategy, DEFAULTS);
        var slow = new Reader(system.actor().strategy(strategy).bounded(1, Overflow.BLOCK), true);
        topic.subscribe(slow.actor, 10, Overflow.DROP_OLDEST);
        upTo(5).forEach(topic::publish);
        slow.at.await();
        slow.actor.stop(StopMode.INTERRUPT);
        await().until(() -> topic.stats().subscribers() == 0);
        assertTrue(topic.close(Duration.ofSeconds(30)), "no queue waits any more");
        assertTrue(topic.exit().join().isNormal());
    }

    @AllStrategies
    void anUnsubscribedActorGetsNoMoreMessages(ThreadStrategy strategy) {
        LocalTopic<Integer> topic = topic(strategy, DEFAULTS);
        var reader = new Reader(strategy, false);
        topic.subscribe(reader.actor);
        topic.subscribe(reader.actor); // replaces the first
        topic.publish(1);
        reader.awaitCount(1);
        assertTrue(topic.unsubscribe(reader.actor));
        assertFalse(topic.unsubscribe(reader.actor));
        topic.publish(2);
        topic.close();
        reader.actor.close();
        assertEquals(List.of(1), reader.seen);
    }

    /** Both subscribe the same actor. */
    @AllStrategies
    void aHandleAndItsActorHaveOneSubscription(ThreadStrategy strategy) {
        LocalTopic<Integer> topic = topic(strategy, DEFAULTS);
        var reader = new Reader(strategy, false);
        var handle = new ForwardingActor<Integer>(reader.actor) {};
        topic.subscribe(reader.actor);
        topic.subscribe(handle);
        assertEquals(1, topic.stats().subscribers());
        topic.publish(1);
        reader.awaitCount(1);
        assertTrue(topic.unsubscribe(reader.actor));
        assertFalse(topic.unsubscribe(handle));
        topic.subscribe(handle);
        topic.publish(2);
        topic.close();
        reader.actor.close();
        assertEquals(List.of(1, 2), reader.seen);
    }

    @Test
    void aTopicIsFoundByItsName() {
        LocalTopic<Integer> topic = LocalTopic.start(system.actor("numbers"), DEFAULTS);
        assertSame(topic, LocalTopic.<Integer>find(system, "numbers").orElseThrow());
        assertEquals("numbers", topic.name());
        assertEquals(Optional.empty(), LocalTopic.find(system, "letters"));
        Actor<String> other = system.actor("letters").newActor(text -> {});
        assertEquals(Optional.empty(), LocalTopic.find(system, "letters"));
        assertThrows(IllegalArgumentException.class, () -> LocalTopic.find(system, " "));
        other.close();
        topic.close();
        assertEquals(Optional.empty(), LocalTopic.find(system, "numbers"));
    }

    @AllStrategies
    void aThrowingSubscriberAffectsNoOther(ThreadStrategy strategy) {
        LocalTopic<Integer> topic = topic(strategy, DEFAULTS);
        Comparator<Integer> broken =
                Comparator.comparing(n -> List.<Integer>of().get(n)); // throws
        var go = new CountDownLatch(1);
        var at = new CountDownLatch(1);
        Actor<Integer> unordered = system.actor()
                .strategy(strategy)
                .priority(broken)
                .newActor(n -> {
                    at.countDown();
                    go.await();
                });
        Actor<Integer> failing = system.actor().strategy(strategy).newActor(n -> {
            throw new IllegalStateException("on purpose");
        });
        var well = new Reader(strategy, false);
        topic.subscribe(unordered);
        topic.subscribe(failing);
        topic.subscribe(well.actor);
        try (var log = new LogLines()) {
            upTo(10).forEach(topic::publish);
            well.awaitCount(10);
            await().until(() ->
                    !log.with("has missed a message", "IndexOutOfBounds").isEmpty());
        }
        go.countDown();
        assertTrue(topic.stats().missed() > 0);
    }

    private Actor<ReplyTo<Integer>> counting(AtomicInteger received) {
        return system.actor().newActor(message -> received.incrementAndGet());
    }

    /** Handles whose {@code tryTell} throws, and a well subscriber before and after it. */
    @AllStrategies
    void anErrorOfASubscriberAffectsNoOtherAndFailsTheTopic(ThreadStrategy strategy) {
        LocalTopic<ReplyTo<Integer>> topic = topic(strategy, DEFAULTS);
        var errors = List.of(new StackOverflowError("on purpose"), new OutOfMemoryError("on purpose"));
        var received = new AtomicInteger();
        topic.subscribe(counting(received));
        for (Error error : errors) {
            topic.subscribe(new ForwardingActor<ReplyTo<Integer>>(system.actor().newActor(message -> {})) {
                @Override
                public boolean tryTell(ReplyTo<Integer> message) {
                    throw error;
                }
            });
        }
        topic.subscribe(counting(received));
        for (int i = 1; i <= 3; i++) {
            var asked = topic.<Integer>ask(replyTo -> replyTo, Duration.ofDays(1));
            var e = assertThrows(ExecutionException.class, () -> asked.get(30, TimeUnit.SECONDS));
            assertSame(errors.getFirst(), e.getCause(), "the first error");
            int messages = 2 * i;
            await().atMost(Duration.ofSeconds(30)).until(() -> received.get() == messages);
            assertEquals(messages, topic.stats().missed());
        }
        assertEquals(4, topic.stats().subscribers());
    }

    @AllStrategies
    void aStopPassesOnAcceptedMessagesAndADiscardDoesNot(ThreadStrategy strategy) throws Exception {
        for (StopMode mode : StopMode.values()) {
            var entered = new CountDownLatch(1);
            var go = new CountDownLatch(1);
            LocalTopic<Integer> topic = topic(strategy, DEFAULTS);
            var reader = new Reader(strategy, false);
            topic.subscribe(reader.actor);
            topic.execute(() -> {
                entered.countDown();
                boolean waits = true;
                while (waits) {
                    try {
                        go.await();
                        waits = false;
                    } catch (InterruptedException e) {
                        waits = go.getCount() > 0;
                    }
                }
            });
            entered.await();
            upTo(5).forEach(topic::publish);
            topic.stop(mode);
            assertThrows(ActorStoppedException.class, () -> topic.publish(9));
            go.countDown();
            topic.waitForExit();
            reader.actor.close();
            assertEquals(mode == StopMode.DRAIN ? 5 : 0, reader.seen.size(), mode.toString());
            assertThrows(ActorStoppedException.class, () -> topic.subscribe(reader.actor));
        }
    }

    @AllStrategies
    void theCountsAreExact(ThreadStrategy strategy) {
        LocalTopic<Integer> topic = topic(strategy, DEFAULTS.bounded(100, Overflow.BLOCK));
        var readers = new ArrayList<Reader>();
        for (int i = 0; i < 10; i++) {
            readers.add(new Reader(strategy, false));
            topic.subscribe(readers.getLast().actor);
        }
        upTo(1_000).forEach(topic::publish);
        topic.close();
        readers.forEach(reader -> reader.actor.close());
        await().until(() -> system.stats().handledBySource().sent() == 11_000);
        assertEquals(11_000, system.stats().sent());
    }

    @AllStrategies
    void aFullTopicBlocksItsPublishersOrRefuses(ThreadStrategy strategy) throws Exception {
        LocalTopic<Integer> topic = topic(strategy, DEFAULTS.bounded(1, Overflow.FAIL));
        var entered = new CountDownLatch(1);
        var go = new CountDownLatch(1);
        topic.execute(() -> {
            entered.countDown();
            try {
                go.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        entered.await();
        topic.publish(1);
        assertThrows(MailboxFullException.class, () -> topic.publish(2));
        go.countDown();
    }

    @Test
    void badInput() {
        LocalTopic<Integer> topic = topic(ThreadStrategy.virtual(), DEFAULTS);
        Actor<Integer> unlimited = system.actor().newActor(n -> {});
        Actor<Integer> limited = system.actor().bounded(1, Overflow.BLOCK).newActor(n -> {});
        Actor<Integer> expected = system.findOrExpect("expected", 1);
        assertThrows(NullPointerException.class, () -> topic.publish(null));
        assertThrows(NullPointerException.class, () -> topic.subscribe(null));
        assertThrows(NullPointerException.class, () -> topic.unsubscribe(null));
        assertThrows(NullPointerException.class, () -> topic.subscribe(limited, 1, null));
        assertThrows(IllegalArgumentException.class, () -> topic.subscribe(topic));
        assertThrows(IllegalArgumentException.class, () -> topic.subscribe(expected));
        assertThrows(IllegalArgumentException.class, () -> topic.subscribe(limited, 0, Overflow.FAIL));
        assertThrows(IllegalArgumentException.class, () -> topic.subscribe(limited, 1, Overflow.BLOCK));
        assertThrows(IllegalArgumentException.class, () -> topic.subscribe(unlimited, 1, Overflow.FAIL));
        assertThrows(IllegalArgumentException.class, () -> DEFAULTS.bounded(0, Overflow.FAIL));
        assertThrows(NullPointerException.class, () -> DEFAULTS.bounded(1, null));
        assertEquals(0, topic.stats().subscribers());
        expected.stop();
    }

    @Test
    void oneMessageReachesAHundredThousand() throws Exception {
        int n = 100_000;
        LocalTopic<Integer> topic = topic(ThreadStrategy.virtual(), DEFAULTS);
        var sum = new AtomicInteger();
        var all = new CountDownLatch(n);
        var readers = new ArrayList<Actor<Integer>>(n);
        for (int i = 0; i < n; i++) {
            readers.add(system.actor().newActor(m -> {
                sum.addAndGet(m);
                all.countDown();
            }));
            topic.subscribe(readers.getLast());
        }
        topic.publish(1);
        assertTrue(all.await(30, TimeUnit.SECONDS));
        assertEquals(n, sum.get());
        readers.forEach(Actor::stop);
        await().atMost(Duration.ofSeconds(30)).until(() -> topic.stats().subscribers() == 0);
    }
}
