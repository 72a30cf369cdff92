package io.fibry.cluster.pekko;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.cluster.NoMajorityException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class FenceTest {

    private final Fence fence = new Fence(Duration.ofHours(1));

    @Test
    void itIsClosedUntilTheFirstConfirmation() throws Exception {
        assertFalse(fence.isOpen());
        assertFalse(fence.opened().isDone());
        fence.confirm(System.nanoTime());
        assertTrue(fence.isOpen());
        assertTrue(fence.opened().isDone());
        fence.pass();
    }

    @Test
    void aConfirmationBecomesTooOld() {
        long hour = Duration.ofHours(1).toNanos();
        fence.confirm(System.nanoTime() - hour);
        assertFalse(fence.isOpen());
        fence.confirm(System.nanoTime());
        assertTrue(fence.isOpen());
        fence.confirm(System.nanoTime() - hour); // an answer that comes late changes nothing
        assertTrue(fence.isOpen());
    }

    @Test
    void whoWaitsGoesOnWithTheNextConfirmation() throws Exception {
        var passed = new CompletableFuture<Void>();
        Thread waiting = waiting(passed);
        fence.confirm(System.nanoTime());
        assertNull(passed.join());
        waiting.join();
    }

    @Test
    void nobodyPassesAfterARemoval() throws Exception {
        var passed = new CompletableFuture<Void>();
        Thread waiting = waiting(passed);
        fence.close();
        assertInstanceOf(
                NoMajorityException.class,
                assertThrows(CompletionException.class, passed::join).getCause());
        waiting.join();
        fence.confirm(System.nanoTime());
        assertFalse(fence.isOpen());
        assertThrows(NoMajorityException.class, fence::pass);
    }

    @Test
    void anInterruptEndsTheWait() throws Exception {
        var passed = new CompletableFuture<Void>();
        Thread waiting = waiting(passed);
        waiting.interrupt();
        assertInstanceOf(
                InterruptedException.class,
                assertThrows(CompletionException.class, passed::join).getCause());
        waiting.join();
    }

    /** Waits in the fence when this returns. */
    private Thread waiting(CompletableFuture<Void> passed) {
        Thread thread = Thread.startVirtualThread(() -> {
            try {
                fence.pass();
                passed.complete(null);
            } catch (InterruptedException | NoMajorityException e) {
                passed.completeExceptionally(e);
            }
        });
        while (thread.getState() != Thread.State.WAITING) {
            Thread.onSpinWait();
        }
        return thread;
    }
}
