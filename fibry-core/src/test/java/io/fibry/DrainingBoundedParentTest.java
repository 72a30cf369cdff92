package io.fibry;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.fibry.testing.AllStrategies;
import io.fibry.testing.Await;
import io.fibry.testing.KernelTest;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A parent with a bounded mailbox accepts messages that its children send with {@code tryTell}, too, whatever the
 * moment of its stop.
 */
class DrainingBoundedParentTest extends KernelTest {

    private static final int MESSAGES = 20;

    @AllStrategies
    void noMessageOfAChildIsRefused(ThreadStrategy strategy) {
        long seed = System.nanoTime();
        var random = new Random(seed);
        for (int round = 0; round < 300; round++) {
            var sum = new AtomicInteger();
            Actor<Integer> parent =
                    actor(strategy).bounded(MESSAGES, Overflow.FAIL).newActor((Integer n) -> sum.addAndGet(n));
            Actor<Integer> child = system.actor().childOf(parent).newActor((Integer n) -> {
                for (int i = 0; i < n; i++) {
                    assertEquals(true, parent.tryTell(1));
                }
            });
            child.tell(MESSAGES);
            for (int spins = random.nextInt(5_000); spins > 0; spins--) {
                Thread.onSpinWait();
            }
            parent.stop();
            Await.end(parent);
            assertEquals(MESSAGES, sum.get(), () -> "seed " + seed);
        }
    }
}
