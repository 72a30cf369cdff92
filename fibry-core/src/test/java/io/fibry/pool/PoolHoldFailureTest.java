package io.fibry.pool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.ActorSystem;
import io.fibry.SystemOptions;
import io.fibry.ThreadStrategy;
import io.fibry.testing.AllStrategies;
import io.fibry.testing.FailingContext;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;

/** A pool whose actor fails to hold its mailbox when the pool is full: it takes a message that no worker can handle. */
class PoolHoldFailureTest {

    /** More than the contexts that are captured until the pool holds its mailbox. */
    private static final int CONTEXTS = 12;

    private final FailingContext carrier = new FailingContext(new StackOverflowError("on purpose"));
    private final ActorSystem system =
            ActorSystem.create(SystemOptions.defaults().context(carrier));

    @AfterEach
    void close() {
        assertTrue(system.close(Duration.ofSeconds(30)));
    }

    @AllStrategies
    void messagesWithEqualKeysStayInOrder(ThreadStrategy strategy) throws Exception {
        for (int context = 1; context <= CONTEXTS; context++) {
            var begin = new CountDownLatch(1);
            List<Integer> handled = new CopyOnWriteArrayList<>();
            carrier.failAt(context);
            WorkerPool<Integer, Void> pool = WorkerPool.start(
                    system.actor().strategy(strategy),
                    (Integer i) -> {
                        begin.await();
                        handled.add(i);
                    },
                    PoolOptions.of(1).keyed((Integer i) -> i % 2));
            List<Integer> sent = new ArrayList<>();
            for (int i = 1; i <= 8; i++) {
                try {
                    pool.tell(i);
                    sent.add(i);
                } catch (StackOverflowError e) {
                    assertEquals("on purpose", e.getMessage()); // not sent
                }
            }
            begin.countDown();
            pool.stop();
            assertTrue(pool.waitForExit(Duration.ofSeconds(30)));
            sent.retainAll(handled); // a message fails if the pool cannot send it to the worker
            assertEquals(sent, handled, "with an error in context " + context);
            assertTrue(handled.size() >= 7);
        }
    }
}
