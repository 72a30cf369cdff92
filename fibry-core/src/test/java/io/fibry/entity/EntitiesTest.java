package io.fibry.entity;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.ActorStoppedException;
import io.fibry.MailboxFullException;
import io.fibry.Overflow;
import io.fibry.ThreadStrategy;
import io.fibry.stereotypes.Stereotypes;
import io.fibry.testing.AllStrategies;
import io.fibry.testing.Rounds;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.Test;

class EntitiesTest extends EntitiesCase {

    @AllStrategies(direct = true)
    void anEntityBeginsAtItsFirstMessageAndEndsAfterItsLast(ThreadStrategy strategy) {
        LocalEntities<String, Integer, Integer> counts = start(strategy, Count::new, ALWAYS);
        assertEquals(0, counts.size());
        counts.ref("a").tell(1);
        counts.ref("a").tell(2);
        assertEquals(3, ask(counts, "a"));
        assertEquals(1, ask(counts, "b"));
        assertEquals(2, counts.size());
        counts.end("a");
        counts.end("nobody");
        assertEquals(4, ask(counts, "a")); // by the next one, which has loaded the count
        assertTrue(counts.close(MINUTE));
        assertEquals(0, counts.size());
        assertEquals(Map.of("a", 4, "b", 1), saved);
        assertEquals(List.of("begin a", "begin b", "end a", "begin a"), new ArrayList<>(events).subList(0, 4));
        assertThrows(ActorStoppedException.class, () -> counts.ref("a").tell(5));
        assertThrows(ActorStoppedException.class, () -> counts.ref("new").tell(1));
        CompletableFuture<Integer> late = counts.ref("a").ask(ANY, MINUTE);
        assertInstanceOf(ActorStoppedException.class, late.exceptionNow());
    }

    @Test
    void theLeastRecentlyUsedEntityEndsFirst() {
        LocalEntities<String, Integer, Integer> counts =
                start(ThreadStrategy.virtual(), Count::new, ALWAYS.maxInMemory(2));
        ask(counts, "a");
        ask(counts, "b");
        ask(counts, "a");
        ask(counts, "c");
        await().until(() -> counts.size() == 2);
        assertEquals(
                List.of("begin a", "begin b", "end b"),
                events.stream().filter(e -> !e.endsWith("c")).toList());
    }

    @Test
    void aRunningEntityIsNotEvicted() throws Exception {
        var running = new CountDownLatch(1);
        var go = new CountDownLatch(1);
        LocalEntities<String, String, Void> entities = start(
                ThreadStrategy.virtual(),
                key -> message -> {
                    if (message.equals("wait")) {
                        running.countDown();
                        go.await();
                    }
                    events.add(key + message);
                    return null;
                },
                ALWAYS.maxInMemory(1));
        entities.ref("a").tell("wait");
        assertTrue(running.await(60, TimeUnit.SECONDS));
        entities.ref("b").tell("1");
        await().until(() -> events.contains("b1"));
        go.countDown();
        entities.ref("a").tell("2");
        assertTrue(entities.close(MINUTE));
        assertEquals(List.of("b1", "await", "a2"), List.copyOf(events));
    }

    /** All entities handle a message when the limit is exceeded, and no further message arrives. */
    @Test
    void theLimitHoldsAfterABurst() throws Exception {
        int burst = 200;
        var running = new Semaphore(0);
        var go = new CountDownLatch(1);
        var handled = new AtomicInteger();
        LocalEntities<String, Integer, Integer> entities = start(
                ThreadStrategy.virtual(),
                key -> message -> {
                    running.release();
                    go.await();
                    return handled.incrementAndGet();
                },
                ALWAYS.maxInMemory(10));
        for (int i = 0; i < burst; i++) {
            entities.ref("key" + i).tell(i);
            assertTrue(running.tryAcquire(60, TimeUnit.SECONDS));
        }
        assertTrue(entities.size() > 10);
        go.countDown();
        await().until(() -> entities.size() <= 10);
        assertTrue(entities.size() > 0);
        assertEquals(burst, handled.get());
    }

    @AllStrategies(direct = true)
    void anIdleEntityEnds(ThreadStrategy strategy) {
        LocalEntities<String, Integer, Integer> counts =
                start(strategy, Count::new, ALWAYS.idleTimeout(Duration.ofMillis(10)));
        ask(counts, "a");
        await().until(() -> counts.size() == 0);
        assertEquals(1, saved.get("a"));
        assertEquals(2, ask(counts, "a"));
    }

    @Test
    void aMailboxCanBeBounded() throws Exception {
        var running = new CountDownLatch(1);
        var go = new CountDownLatch(1);
        LocalEntities<String, Integer, Void> entities = start(
                ThreadStrategy.virtual(),
                key -> message -> {
                    running.countDown();
                    go.await();
                    return null;
                },
                ALWAYS.bounded(1, Overflow.FAIL));
        entities.ref("a").tell(1);
        assertTrue(running.await(60, TimeUnit.SECONDS));
        entities.ref("a").tell(2);
        assertThrows(MailboxFullException.class, () -> entities.ref("a").tell(3));
        go.countDown();
    }

    @Test
    void badInputIsRefused() {
        LocalEntities<String, Integer, Integer> counts = start(ThreadStrategy.virtual(), Count::new, ALWAYS);
        assertThrows(NullPointerException.class, () -> counts.ref(null));
        assertThrows(NullPointerException.class, () -> counts.ref("a").tell(null));
        assertThrows(NullPointerException.class, () -> counts.end(null));
        assertThrows(NullPointerException.class, () -> counts.ref("a").tryTell(null));
        assertThrows(NullPointerException.class, () -> counts.ref("a").ask(null, MINUTE));
        assertThrows(NullPointerException.class, () -> counts.ref("a").ask(1, null));
        assertThrows(IllegalArgumentException.class, () -> ALWAYS.maxInMemory(0));
        assertThrows(IllegalArgumentException.class, () -> ALWAYS.idleTimeout(Duration.ZERO));
        assertThrows(IllegalArgumentException.class, () -> ALWAYS.bounded(0, Overflow.FAIL));
        assertThrows(IllegalArgumentException.class, () -> ALWAYS.startRetryDelay(Duration.ZERO));
        assertThrows(NullPointerException.class, () -> ALWAYS.bounded(1, null));
        assertThrows(NullPointerException.class, () -> ALWAYS.supervision(null));
    }

    /** Of three successive entities of a key, the second one is stopped before the first one has ended. */
    @AllStrategies
    void theNextEntityWaitsForTheEndOfThePreviousOne(ThreadStrategy strategy) throws Exception {
        var ends = new CountDownLatch(1);
        var saves = new CountDownLatch(1);
        LocalEntities<String, String, Void> entities = start(
                strategy,
                key -> new EntityBehavior<>() {
                    @Override
                    public Void handle(String message) {
                        events.add(message);
                        return null;
                    }

                    @Override
                    public void onEnd() throws Exception {
                        events.add("saves");
                        saves.countDown();
                        ends.await();
                        events.add("saved");
                    }
                },
                ALWAYS);
        entities.ref("a").tell("1");
        entities.end("a");
        assertTrue(saves.await(60, TimeUnit.SECONDS));
        entities.ref("a").tell("2");
        entities.end("a");
        entities.ref("a").tell("3");
        CompletableFuture<Void> last = entities.ref("a").ask("4", MINUTE);
        assertEquals(List.of("1", "saves"), List.copyOf(events));
        assertEquals(1, entities.size());
        ends.countDown();
        assertTrue(entities.close(MINUTE));
        assertNull(last.resultNow());
        assertEquals(
                List.of("1", "saves", "saved", "2", "saves", "saved", "3", "4", "saves", "saved"), List.copyOf(events));
    }

    /** A hook that ignores interrupts delays neither other keys nor senders, and a close gives up. */
    @AllStrategies
    void aBlockingHookAffectsItsKeyOnly(ThreadStrategy strategy) throws Exception {
        var begins = new CountDownLatch(1);
        var go = new CountDownLatch(1);
        LocalEntities<String, String, Boolean> entities = start(
                strategy,
                key -> {
                    while (key.equals("stuck") && go.getCount() > 0) {
                        begins.countDown();
                        try {
                            go.await();
                        } catch (InterruptedException e) {
                            events.add("interrupted");
                        }
                    }
                    return message -> events.add(key + message);
                },
                ALWAYS.maxInMemory(1));
        entities.ref("stuck").tell("1");
        for (int i = 0; i < 100; i++) {
            entities.ref("key" + i).tell("");
        }
        await().until(() -> events.size() == 100);
        begins.await();
        entities.end("stuck");
        entities.ref("stuck").tell("2");
        assertFalse(entities.close(Duration.ofMillis(1)));
        go.countDown();
        assertTrue(entities.close(MINUTE));
        assertTrue(events.contains("interrupted"));
        assertFalse(events.contains("stuck2"), "a message that is discarded at the deadline");
    }

    @AllStrategies(direct = true)
    void aCloseOfTheSystemHandlesAcceptedMessages(ThreadStrategy strategy) {
        LocalEntities<Integer, Integer, Boolean> entities =
                Stereotypes.with(strategy).in(system).entities(key -> message -> events.add(key + "," + message));
        int keys = 500;
        for (int i = 0; i < 2 * keys; i++) {
            entities.ref(i % keys).tell(i);
        }
        assertTrue(system.close(MINUTE));
        assertEquals(2 * keys, events.size());
        assertEquals(0, entities.size());
        assertThrows(ActorStoppedException.class, () -> entities.ref(1).tell(1));
        assertThrows(ActorStoppedException.class, () -> entities.ref(keys).tell(1));
    }

    @Test
    void anEntityCanAskOthersAndStopItself() {
        var handle = new AtomicReference<Entities<Integer, String, Integer>>();
        Entities<Integer, String, Integer> entities = Stereotypes.fibers()
                .in(system)
                .entities(key -> message -> {
                    Entities<Integer, String, Integer> all = handle.get();
                    all.end(key);
                    return key == 0
                            ? 0
                            : 1 + all.ref(key - 1).ask(message, MINUTE).join();
                });
        handle.set(entities);
        for (int i = 0; i < 10; i++) {
            assertEquals(100, entities.ref(100).ask("", MINUTE).join());
        }
    }

    @Test
    void endedEntitiesLeaveNothingBehind() {
        LocalEntities<String, Integer, Integer> counts =
                start(ThreadStrategy.virtual(), Count::new, ALWAYS.maxInMemory(1_000));
        int most = 0;
        for (int i = 0; i < 5_000; i++) {
            String key = "k" + i;
            ask(counts, key);
            counts.end(key);
            most = Math.max(most, counts.eviction().places());
        }
        assertTrue(most <= 200, "places " + most);
        await().until(() -> counts.size() == 0);
    }

    @Test
    void manyKeys() {
        var handled = new LongAdder();
        LocalEntities<Integer, Integer, Void> entities = Stereotypes.fibers()
                .in(system)
                .entities(key -> message -> {
                    if (!message.equals(key)) {
                        events.add(key + " got " + message);
                    }
                    handled.increment();
                    return null;
                });
        int keys = Rounds.of(100_000, 1_000_000);
        for (int i = 0; i < 2 * keys; i++) {
            entities.ref(i % keys).tell(i % keys);
        }
        assertEquals(keys, entities.size());
        await().atMost(MINUTE).until(() -> handled.sum() == 2L * keys);
        assertTrue(entities.close(MINUTE));
        assertEquals(0, entities.size());
        assertEquals(List.of(), List.copyOf(events));
    }
}
