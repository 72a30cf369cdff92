package io.fibry.dispatch;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.fibry.testing.Await;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.RepeatedTest;

/**
 * The outcome of a start races with the thread that waits for it.
 *
 * <p>Seen to fail: a starter that unparks the thread before it publishes the outcome.
 */
class ThreadStartTest {

    private static final int ROUNDS = 20_000;
    private static final int MAX_SPINS = 2_000;

    @RepeatedTest(2)
    void theThreadSeesEachOutcome() {
        var random = new Random(1);
        for (int round = 0; round < ROUNDS; round++) {
            var start = new ThreadStart();
            var seen = new CompletableFuture<Boolean>();
            Thread.startVirtualThread(() -> seen.complete(start.succeeds()));
            for (int spins = random.nextInt(MAX_SPINS); spins > 0; spins--) {
                Thread.onSpinWait();
            }
            boolean outcome = random.nextBoolean();
            start.end(outcome);
            assertEquals(outcome, Await.value(seen));
        }
    }

    @RepeatedTest(2)
    void theStarterKnowsWhetherTheThreadHasLeft() {
        var random = new Random(1);
        for (int round = 0; round < ROUNDS; round++) {
            var start = new ThreadStart();
            var left = new CompletableFuture<Boolean>();
            Thread.startVirtualThread(() -> left.complete(start.leave()));
            for (int spins = random.nextInt(MAX_SPINS); spins > 0; spins--) {
                Thread.onSpinWait();
            }
            boolean recorded = start.end(true);
            assertEquals(recorded, !Await.value(left));
        }
    }
}
