package io.fibry.dispatch;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.fibry.ActorSystem;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class WaitingThreadsTest {

    /** Not more threads than fit into the memory of a JVM. */
    private static final int TOO_MANY = Integer.MAX_VALUE;

    private final WaitingThreads threads = new WaitingThreads();

    @Test
    void areAssumedUntilTheyAreCounted() {
        assertTrue(threads.areMoreThan(TOO_MANY));
    }

    @Test
    @Timeout(60)
    void aThreadThatWaitsForACarrierThreadIsCounted() throws InterruptedException {
        assumeTrue(Runtime.version().feature() >= 24, "earlier JDKs do not count them");
        threads.load();
        assertFalse(threads.areMoreThan(TOO_MANY));
        var done = new AtomicBoolean();
        int tooMany = Runtime.getRuntime().availableProcessors() + 1;
        var spinning = new Thread[tooMany];
        for (int i = 0; i < tooMany; i++) {
            spinning[i] = Thread.startVirtualThread(() -> {
                while (!done.get()) {
                    Thread.onSpinWait();
                }
            });
        }
        try {
            while (!threads.areMoreThan(0)) {
                Thread.onSpinWait();
            }
        } finally {
            done.set(true);
        }
        for (Thread each : spinning) {
            each.join();
        }
    }

    @Test
    @Timeout(60)
    void areCountedAfterTheFirstSystem() {
        assumeTrue(Runtime.version().feature() >= 24, "earlier JDKs do not count them");
        ActorSystem.create().close();
        while (WaitingThreads.COUNTED.areMoreThan(TOO_MANY)) {
            Thread.onSpinWait();
        }
    }
}
