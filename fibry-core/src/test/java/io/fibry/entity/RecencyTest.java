package io.fibry.entity;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.ThreadStrategy;
import io.fibry.dispatch.Time;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RecencyTest extends EntitiesCase {

    private final CountDownLatch go = new CountDownLatch(1);
    private final Semaphore running = new Semaphore(0);
    private final Recency recency = new Recency();

    @AfterEach
    void release() {
        go.countDown();
    }

    /** Otherwise a sender of the first message to an entity would examine all entities while they are running. */
    @Test
    void aSearchExaminesNoMoreEntriesThanItsLimit() throws Exception {
        LocalEntities<String, Integer, Integer> entities = start(
                ThreadStrategy.virtual(),
                key -> message -> {
                    if (!key.equals("idle")) {
                        running.release();
                        go.await();
                    }
                    return message;
                },
                ALWAYS.maxInMemory(1_000));
        for (int i = 0; i < 10; i++) {
            Entity<String, Integer, Integer> busy = entity(entities, "running" + i);
            busy.actor().tell(1);
            recency.add(busy);
        }
        assertTrue(running.tryAcquire(10, 60, TimeUnit.SECONDS));
        Entity<String, Integer, Integer> idle = entity(entities, "idle");
        assertEquals(1, idle.actor().ask(1).get(60, TimeUnit.SECONDS));
        recency.add(idle);
        assertNull(recency.takeOldest(Time.nanos(), 8));
        assertSame(idle, recency.takeOldest(Time.nanos(), 3));
        assertNull(recency.takeOldest(Time.nanos(), Integer.MAX_VALUE));
    }

    private Entity<String, Integer, Integer> entity(LocalEntities<String, Integer, Integer> entities, String key) {
        return new Entity<>(entities, key, null, system.actor().childOf(entities.root()));
    }
}
