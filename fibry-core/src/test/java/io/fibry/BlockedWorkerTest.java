package io.fibry;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * A handler may wait for the actor that it has just told something, although that one is its own worker's next: somebody else
 * comes for it.
 *
 * <p>Seen to fail (it hangs): a spare that found work in the shared queue and does not look at the slots for more.
 */
class BlockedWorkerTest {

    private static final int PAIRS = 20_000;

    @Test
    void everyBlockedHandlerIsReleasedByTheActorItTold() throws InterruptedException {
        var done = new CountDownLatch(PAIRS);
        try (var system = ActorSystem.create()) {
            for (int i = 0; i < PAIRS; i++) {
                Actor<CountDownLatch> second = system.actor().newActor(CountDownLatch::countDown);
                Actor<String> first = system.actor().newActor((String message) -> {
                    var told = new CountDownLatch(1);
                    second.tell(told);
                    await(told);
                    done.countDown();
                });
                first.tell("go");
            }
            assertTrue(done.await(30, TimeUnit.SECONDS), () -> done.getCount() + " handlers wait for ever");
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
