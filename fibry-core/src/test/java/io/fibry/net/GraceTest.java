package io.fibry.net;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

class GraceTest {

    private static final Duration SHORT = Duration.ofMillis(10);

    @Test
    void theWaitLastsForItsTime() {
        long start = System.nanoTime();
        Grace.await(SHORT);
        assertTrue(System.nanoTime() - start >= SHORT.toNanos());
    }

    @Test
    void aSpuriousUnparkDoesNotEndTheWait() {
        var waited = new CompletableFuture<Long>();
        Thread thread = Thread.ofVirtual().start(() -> {
            long start = System.nanoTime();
            Grace.await(SHORT);
            waited.complete(System.nanoTime() - start);
        });
        while (!waited.isDone()) {
            LockSupport.unpark(thread);
            Thread.onSpinWait();
        }
        assertTrue(waited.join() >= SHORT.toNanos());
    }

    @Test
    void anInterruptEndsTheWaitAndStaysSet() throws Exception {
        var interrupted = new CompletableFuture<Boolean>();
        Thread thread = Thread.ofVirtual().start(() -> {
            Grace.await(Duration.ofDays(1));
            interrupted.complete(Thread.currentThread().isInterrupted());
        });
        thread.interrupt();
        assertTrue(interrupted.get(1, TimeUnit.MINUTES));
    }
}
