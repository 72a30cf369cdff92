package io.fibry.net;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

class GraceTest {

    @Test
    void theWaitLastsForItsDuration() {
        long start = System.nanoTime();
        Grace.await();
        assertTrue(System.nanoTime() - start >= Grace.DURATION.toNanos());
    }

    @Test
    void aSpuriousUnparkDoesNotEndTheWait() {
        var waited = new CompletableFuture<Long>();
        Thread thread = Thread.ofVirtual().start(() -> {
            long start = System.nanoTime();
            Grace.await();
            waited.complete(System.nanoTime() - start);
        });
        while (!waited.isDone()) {
            LockSupport.unpark(thread);
            Thread.onSpinWait();
        }
        assertTrue(waited.join() >= Grace.DURATION.toNanos());
    }

    @Test
    void anInterruptEndsTheWaitAndStaysSet() throws InterruptedException, ExecutionException {
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            assertTrue(threads.submit(() -> {
                        Thread.currentThread().interrupt();
                        Grace.await();
                        return Thread.interrupted();
                    })
                    .get());
        }
    }
}
