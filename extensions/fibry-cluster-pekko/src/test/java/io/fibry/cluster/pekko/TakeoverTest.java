package io.fibry.cluster.pekko;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class TakeoverTest {

    private static CompletableFuture<Void> waiting(TakeoverBarrier takeover) throws Exception {
        var over = new CompletableFuture<Void>();
        Thread thread = Thread.startVirtualThread(() -> {
            try {
                takeover.await();
                over.complete(null);
            } catch (InterruptedException e) {
                over.completeExceptionally(e);
            }
        });
        while (thread.getState() == Thread.State.NEW || thread.getState() == Thread.State.RUNNABLE) {
            Thread.onSpinWait();
        }
        return over;
    }

    @Test
    void noMessageWaitsWithoutARemoval() throws Exception {
        var takeover = new TakeoverBarrier(Duration.ofHours(1));
        assertFalse(takeover.isUnderWay());
        takeover.await();
    }

    @Test
    void itLastsUntilTheMarginAfterTheLastRemoval() throws Exception {
        var takeover = new TakeoverBarrier(Duration.ofMillis(20));
        takeover.down(1);
        takeover.down(2);
        CompletableFuture<Void> over = waiting(takeover);
        takeover.removed(1);
        assertTrue(takeover.isUnderWay());
        assertFalse(over.isDone());
        long start = System.nanoTime();
        takeover.removed(2);
        assertNull(over.join());
        assertTrue(System.nanoTime() - start >= Duration.ofMillis(20).toNanos());
        assertFalse(takeover.isUnderWay());
    }

    @Test
    void aRemovalWithoutEarlierNoticeCounts() {
        var takeover = new TakeoverBarrier(Duration.ofHours(1));
        takeover.removed(1);
        assertTrue(takeover.isUnderWay());
    }
}
