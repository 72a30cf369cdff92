package io.fibry.topic;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.ForwardingActor;
import io.fibry.Overflow;
import io.fibry.ThreadStrategy;
import io.fibry.testing.AllStrategies;
import io.fibry.testing.Gate;
import io.fibry.testing.LogLines;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

class TopicTest extends TopicCase {

    @AllStrategies(direct = true)
    void everySubscriberGetsEveryMessageInOrder(ThreadStrategy strategy) {
        LocalTopic<Integer> topic = topic(strategy, DEFAULTS);
        var readers = new ArrayList<Reader>();
        for (int i = 0; i < 10; i++) {
            readers.add(new Reader(strategy, false));
            topic.subscribe(readers.getLast().actor);
        }
        upTo(100).forEach(topic::publish);
        topic.close();
        for (Reader reader : readers) {
            reader.actor.close();
            assertEquals(upTo(100), reader.seen);
        }
        assertEquals(new TopicStats(0, 100, 0), topic.stats());
    }

    @AllStrategies
    void aSlowSubscriberDelaysNoOther(ThreadStrategy strategy) throws Exception {
        LocalTopic<Integer> topic = topic(strategy, DEFAULTS);
        var slow = new Reader(system.actor().strategy(strategy).bounded(1, Overflow.BLOCK), true);
        var queued = new Reader(system.actor().strategy(strategy).bounded(1, Overflow.BLOCK), true);
        var quick = new Reader(strategy, false);
        topic.subscribe(slow.actor);
        topic.subscribe(queued.actor, 1_000, Overflow.DROP_OLDEST);
        topic.subscribe(quick.actor);
        topic.publish(0);
        slow.at.await();
        queued.at.await();
        upTo(100).forEach(topic::publish); // while two of the three handle the first message
        quick.awaitCount(101);
        slow.go.countDown();
        queued.go.countDown();
        queued.awaitCount(101);
        assertEquals(99, topic.stats().missed(), "one was running, and one waited");
        slow.awaitCount(2);
    }

    @AllStrategies
    void theMailboxOfASubscriberDecides(ThreadStrategy strategy) throws Exception {
        LocalTopic<Integer> topic = topic(strategy, DEFAULTS);
        var latest = new Reader(system.actor().strategy(strategy).bounded(2, Overflow.DROP_OLDEST), true);
        var first = new Reader(system.actor().strategy(strategy).bounded(2, Overflow.DROP_NEWEST), true);
        var refusing = new Reader(system.actor().strategy(strategy).bounded(2, Overflow.FAIL), true);
        var all = new Reader(strategy, true);
        var readers = List.of(latest, first, refusing, all);
        readers.forEach(reader -> topic.subscribe(reader.actor));
        topic.publish(0);
        for (Reader reader : readers) {
            reader.at.await();
        }
        IntStream.range(1, 10).forEach(topic::publish);
        topic.close();
        readers.forEach(reader -> reader.go.countDown());
        readers.forEach(reader -> reader.actor.close());
        assertEquals(List.of(0, 8, 9), latest.seen);
        assertEquals(List.of(0, 1, 2), first.seen);
        assertEquals(List.of(0, 1, 2), refusing.seen);
        assertEquals(upTo(10), all.seen);
        assertEquals(14, topic.stats().missed(), "7 of each that refuses");
    }

    @AllStrategies
    void aSubscribersQueueDropsAccordingToItsPolicy(ThreadStrategy strategy) throws Exception {
        LocalTopic<Integer> topic = topic(strategy, DEFAULTS);
        var latest = new Reader(system.actor().strategy(strategy).bounded(1, Overflow.BLOCK), true);
        var first = new Reader(system.actor().strategy(strategy).bounded(1, Overflow.BLOCK), true);
        topic.subscribe(latest.actor, 2, Overflow.DROP_OLDEST);
        topic.subscribe(first.actor, 2, Overflow.DROP_NEWEST);
        topic.publish(0);
        latest.at.await();
        first.at.await();
        topic.publish(1); // waits in the mailboxes of the readers
        await().until(() -> latest.actor.mailboxSize().orElseThrow() == 1
                && first.actor.mailboxSize().orElseThrow() == 1);
        IntStream.range(2, 10).forEach(topic::publish);
        await().until(() -> topic.stats().published() == 10);
        await().until(() -> system.stats().dropped() >= 10);
        latest.go.countDown();
        first.go.countDown();
        topic.close(); // waits for the queues
        latest.actor.close();
        first.actor.close();
        assertEquals(List.of(8, 9), latest.seen.subList(latest.seen.size() - 2, latest.seen.size()));
        assertEquals(List.of(0, 1, 2), first.seen.subList(0, 3));
        assertEquals(0, topic.stats().missed());
    }

    @AllStrategies
    void aFullQueueThatFailsEndsTheSubscription(ThreadStrategy strategy) throws Exception {
        LocalTopic<Integer> topic = topic(strategy, DEFAULTS);
        var slow = new Reader(
                system.actor().strategy(strategy).label("the slow one").bounded(1, Overflow.BLOCK), true);
        try (var log = new LogLines()) {
            topic.subscribe(slow.actor, 1, Overflow.FAIL);
            for (int i = 0; topic.stats().subscribers() > 0; i++) {
                topic.publish(i);
            }
            await().until(() ->
                    !log.with("the subscription of the slow one ends").isEmpty());
        }
        slow.go.countDown();
        assertFalse(topic.unsubscribe(slow.actor));
    }

    @AllStrategies(direct = true)
    void aLateSubscriberBeginsWithTheLastMessage(ThreadStrategy strategy) {
        LocalTopic<Integer> topic = topic(strategy, DEFAULTS.keepLast(true));
        var early = new Reader(strategy, false);
        topic.subscribe(early.actor);
        topic.publish(1);
        topic.publish(2);
        early.awaitCount(2);
        var late = new Reader(strategy, false);
        topic.subscribe(late.actor);
        late.awaitCount(1);
        topic.publish(3);
        topic.close();
        late.actor.close();
        assertEquals(List.of(2, 3), late.seen);
        assertEquals(2, early.seen.get(1));
    }

    /** The next message is forwarded in the same turn as the last one before the subscription. */
    @AllStrategies
    void aMissedLastMessageIsTheOnlyOneMissed(ThreadStrategy strategy) {
        LocalTopic<Integer> topic = topic(strategy, DEFAULTS.keepLast(true));
        topic.publish(1);
        var gate = new Gate();
        topic.execute(gate::pass);
        gate.awaitReached();
        topic.publish(2);
        var reader = new Reader(strategy, false);
        topic.subscribe(new ForwardingActor<>(reader.actor) {
            @Override
            public boolean tryTell(Integer message) {
                return message != 1 && super.tryTell(message);
            }
        });
        gate.open();
        topic.close();
        reader.actor.close();
        assertEquals(List.of(2), reader.seen);
        assertEquals(1, topic.stats().missed());
    }

    /** The subscription races with the publishing in each of its steps. */
    @AllStrategies
    void aLateSubscriberGetsEachMessageExactlyOnce(ThreadStrategy strategy) {
        for (int round = 0; round < 100; round++) {
            LocalTopic<Integer> topic = topic(strategy, DEFAULTS.keepLast(true));
            Thread publisher = Thread.startVirtualThread(() -> upTo(50).forEach(topic::publish));
            var readers = new ArrayList<Reader>();
            for (int i = 0; i < 5; i++) {
                readers.add(new Reader(ThreadStrategy.virtual(), false));
                topic.subscribe(readers.getLast().actor);
            }
            join(publisher);
            topic.close();
            for (Reader reader : readers) {
                reader.actor.close();
                int from = 50 - reader.seen.size();
                assertEquals(IntStream.range(from, 50).boxed().toList(), reader.seen);
                assertFalse(reader.seen.isEmpty());
            }
        }
    }

    private static void join(Thread thread) {
        try {
            assertTrue(thread.join(Duration.ofSeconds(30)));
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
