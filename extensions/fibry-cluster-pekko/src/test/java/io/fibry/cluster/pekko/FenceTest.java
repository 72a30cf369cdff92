package io.fibry.cluster.pekko;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.cluster.NoMajorityException;
import io.fibry.cluster.pekko.Fence.Moment;
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
        fence.confirm(Moment.now());
        assertTrue(fence.isOpen());
        assertTrue(fence.opened().isDone());
        fence.pass();
    }

    @Test
    void aConfirmationBecomesTooOld() {
        fence.confirm(anHourAgo());
        assertFalse(fence.isOpen());
        fence.confirm(Moment.now());
        assertTrue(fence.isOpen());
        fence.confirm(anHourAgo()); // a late answer has no effect
        assertTrue(fence.isOpen());
    }

    private static Moment anHourAgo() {
        Duration hour = Duration.ofHours(1);
        return new Moment(System.nanoTime() - hour.toNanos(), System.currentTimeMillis() - hour.toMillis());
    }

    @Test
    void aPauseOfTheMachineMakesAConfirmationOldByTheWallClockOnly() {
        fence.confirm(new Moment(System.nanoTime(), anHourAgo().millis()));
        assertFalse(fence.isOpen());
        fence.confirm(new Moment(System.nanoTime(), Long.MAX_VALUE / 2)); // the wall clock has been set back
        assertTrue(fence.isOpen());
    }

    @Test
    void aRevocationClosesTheFenceUntilTheNextConfirmation() {
        fence.confirm(Moment.now());
        fence.revoke();
        assertFalse(fence.isOpen());
        fence.confirm(Moment.now());
        assertTrue(fence.isOpen());
    }

    @Test
    void aWaitingMessageContinuesWithTheNextConfirmation() throws Exception {
        var passed = new CompletableFuture<Void>();
        Thread waiting = waiting(passed);
        fence.confirm(Moment.now());
        assertNull(passed.join());
        waiting.join();
    }

    @Test
    void noMessagePassesAfterARemoval() throws Exception {
        var passed = new CompletableFuture<Void>();
        Thread waiting = waiting(passed);
        fence.close();
        assertInstanceOf(
                NoMajorityException.class,
                assertThrows(CompletionException.class, passed::join).getCause());
        waiting.join();
        fence.confirm(Moment.now());
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

    /** Returns a thread that waits in the fence. */
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
