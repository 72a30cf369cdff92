package io.fibry.entity;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.ActorStoppedException;
import io.fibry.StopMode;
import io.fibry.ThreadStrategy;
import io.fibry.testing.AllStrategies;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

/**
 * Many virtual and platform threads send to new keys. On Java 21, a lock that a sender takes while it holds the monitor
 * of a map's bin pins the carriers, and all virtual threads of the JVM stop.
 */
@Timeout(value = 120, threadMode = ThreadMode.SEPARATE_THREAD)
class EntityCreationTest extends EntitiesCase {

    private static final int SENDERS = 50;
    private static final int KEYS = 200;

    private final AtomicInteger handled = new AtomicInteger();
    private final Map<String, AtomicInteger> begun = new ConcurrentHashMap<>();

    /** All senders use the same keys at about the same time, so several threads make an entity for a key. */
    @AllStrategies(direct = true)
    void sendersOfAnyKindMakeOneEntityForAKey(ThreadStrategy strategy) throws Exception {
        for (int key = 0; key < KEYS; key++) {
            begun.put("key" + key, new AtomicInteger());
        }
        LocalEntities<String, Integer, Boolean> entities = start(
                strategy,
                key -> {
                    begun.get(key).incrementAndGet();
                    return message -> {
                        handled.incrementAndGet();
                        return true;
                    };
                },
                ALWAYS);
        sendTogether(key -> entities.ref(key).tell(1));
        assertEquals(KEYS, entities.size());
        assertTrue(entities.close(MINUTE));
        assertEquals(SENDERS * KEYS, handled.get());
        assertEquals(
                Collections.nCopies(KEYS, 1),
                begun.values().stream().map(AtomicInteger::get).toList());
        assertEquals(0, entities.size());
    }

    /** Each key has the entities of all senders, one after the other. */
    @AllStrategies(direct = true)
    void sendersOfAnyKindReplaceEntitiesThatEnd(ThreadStrategy strategy) throws Exception {
        var alive = new ConcurrentHashMap<String, Boolean>();
        var overlaps = new AtomicInteger();
        LocalEntities<String, Integer, Boolean> entities = start(
                strategy,
                key -> {
                    if (alive.put(key, true) != null) {
                        overlaps.incrementAndGet();
                    }
                    return new EntityBehavior<>() {
                        @Override
                        public Boolean handle(Integer message) {
                            handled.incrementAndGet();
                            return true;
                        }

                        @Override
                        public void onEnd() {
                            alive.remove(key);
                        }
                    };
                },
                ALWAYS);
        sendTogether(key -> {
            entities.ref(key).tell(1);
            entities.end(key);
        });
        assertTrue(entities.close(MINUTE));
        assertEquals(SENDERS * KEYS, handled.get());
        assertEquals(0, overlaps.get());
        assertEquals(0, entities.size());
    }

    /** Each sender has its own keys. The workers that end the entities need the lock of the root, as the senders do. */
    @AllStrategies(direct = true)
    void sendersOfAnyKindUseNewKeys(ThreadStrategy strategy) throws Exception {
        LocalEntities<String, Integer, Boolean> entities = start(
                strategy,
                key -> message -> {
                    handled.incrementAndGet();
                    return true;
                },
                ALWAYS);
        var sender = new AtomicInteger();
        var own = ThreadLocal.withInitial(sender::incrementAndGet);
        sendTogether(key -> {
            String newKey = own.get() + key;
            entities.ref(newKey).tell(1);
            entities.end(newKey);
        });
        assertTrue(entities.close(MINUTE));
        assertEquals(SENDERS * KEYS, handled.get());
        assertEquals(0, entities.size());
    }

    /** A stop may end an entity before its sender has put it into the map. */
    @AllStrategies(direct = true)
    void noEntityStaysInTheMapAfterTheEnd(ThreadStrategy strategy) throws Exception {
        for (int round = 0; round < 300; round++) {
            LocalEntities<String, Integer, Boolean> entities = start(strategy, key -> message -> true, ALWAYS);
            var first = new CountDownLatch(1);
            Thread sender = Thread.ofPlatform().daemon().start(() -> {
                try {
                    for (int key = 0; ; key++) {
                        entities.ref("key" + key).tell(1);
                        first.countDown();
                    }
                } catch (ActorStoppedException stopped) {
                    first.countDown();
                }
            });
            assertTrue(first.await(60, TimeUnit.SECONDS));
            entities.stop(StopMode.DISCARD);
            sender.join();
            assertTrue(entities.close(MINUTE));
            assertEquals(0, entities.size(), "round " + round);
        }
    }

    private interface Send {
        void to(String key);
    }

    private void sendTogether(Send send) throws InterruptedException {
        var go = new CountDownLatch(1);
        List<Thread> senders = new ArrayList<>();
        for (int i = 0; i < SENDERS; i++) {
            Thread.Builder builder =
                    i % 2 == 0 ? Thread.ofVirtual() : Thread.ofPlatform().daemon();
            senders.add(builder.start(() -> {
                try {
                    assertTrue(go.await(60, TimeUnit.SECONDS));
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
                for (int key = 0; key < KEYS; key++) {
                    send.to("key" + key);
                }
            }));
        }
        go.countDown();
        for (Thread sender : senders) {
            sender.join();
        }
    }
}
