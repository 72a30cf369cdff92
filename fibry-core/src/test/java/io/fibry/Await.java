package io.fibry;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for what has to happen. The limit says that it never will; no test depends on how long it takes. */
final class Await {

    static final Duration LIMIT = Duration.ofSeconds(30);

    private Await() {}

    static void latch(CountDownLatch latch) {
        try {
            assertTrue(latch.await(LIMIT.toSeconds(), TimeUnit.SECONDS), () -> latch + " was not counted down");
        } catch (InterruptedException e) {
            throw new AssertionError("interrupted while waiting for a latch", e);
        }
    }

    static <T> T value(Future<T> future) {
        try {
            return future.get(LIMIT.toSeconds(), TimeUnit.SECONDS);
        } catch (Exception e) {
            throw new AssertionError("no value: " + e, e);
        }
    }

    /** What the future completed with exceptionally. */
    static Throwable failure(Future<?> future) {
        return assertThrows(ExecutionException.class, () -> future.get(LIMIT.toSeconds(), TimeUnit.SECONDS))
                .getCause();
    }

    static ActorExit end(Actor<?> actor) {
        return value(actor.exit());
    }

    /** Until the actor has been asked to stop at least that hard, and a turn under way knows of it. */
    static void stopped(Actor<?> actor, StopMode mode) {
        ActorCell<?> cell = ActorCell.of(actor);
        until(actor + " is stopped", () -> {
            StopMode now = cell.lifecycleMode();
            return now != null && now.compareTo(mode) >= 0;
        });
        cell.closing().lock(); // behind the stopper, who sets the mode first
        try {
            assertTrue(cell.isClosed());
        } finally {
            cell.closing().unlock();
        }
    }

    static void thread(Thread thread) {
        try {
            assertTrue(thread.join(LIMIT), () -> thread + " goes on");
        } catch (InterruptedException e) {
            throw new AssertionError("interrupted while waiting for " + thread, e);
        }
    }

    static void until(String what, BooleanSupplier condition) {
        long start = System.nanoTime();
        while (!condition.getAsBoolean()) {
            assertTrue(System.nanoTime() - start < LIMIT.toNanos(), () -> "never: " + what);
            LockSupport.parkNanos(100_000);
        }
    }

    /** The same for what comes in a moment, and must not be missed by much. Whoever does it may need this very processor. */
    static void soon(String what, BooleanSupplier condition) {
        for (int looks = 0; looks < 10_000; looks++) {
            if (condition.getAsBoolean()) {
                return;
            }
            Thread.onSpinWait();
        }
        until(what, condition);
    }

    /** Until the thread has nothing to do but wait, or has ended. */
    static void untilBlocked(Thread thread) {
        until(thread + " waits", () -> switch (thread.getState()) {
            case WAITING, TIMED_WAITING, TERMINATED -> true;
            default -> false;
        });
    }
}
