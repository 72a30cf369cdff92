package io.fibry.testing;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.Actor;
import io.fibry.ActorExit;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for conditions. The limit only detects that a condition never holds; no test depends on the duration. */
public final class Await {

    public static final Duration LIMIT = Duration.ofSeconds(30);

    private Await() {}

    public static void latch(CountDownLatch latch) {
        try {
            assertTrue(latch.await(LIMIT.toSeconds(), TimeUnit.SECONDS), () -> latch + " was not counted down");
        } catch (InterruptedException e) {
            throw new AssertionError("interrupted while waiting for a latch", e);
        }
    }

    public static <T> T value(Future<T> future) {
        try {
            return future.get(LIMIT.toSeconds(), TimeUnit.SECONDS);
        } catch (Exception e) {
            throw new AssertionError("no value: " + e, e);
        }
    }

    /** Returns the exception that completed the future. */
    public static Throwable failure(Future<?> future) {
        return assertThrows(ExecutionException.class, () -> future.get(LIMIT.toSeconds(), TimeUnit.SECONDS))
                .getCause();
    }

    public static ActorExit end(Actor<?> actor) {
        return value(actor.exit());
    }

    public static void thread(Thread thread) {
        try {
            assertTrue(thread.join(LIMIT), () -> thread + " goes on");
        } catch (InterruptedException e) {
            throw new AssertionError("interrupted while waiting for " + thread, e);
        }
    }

    public static void until(String what, BooleanSupplier condition) {
        long start = System.nanoTime();
        while (!condition.getAsBoolean()) {
            assertTrue(System.nanoTime() - start < LIMIT.toNanos(), () -> "never: " + what);
            LockSupport.parkNanos(100_000);
        }
    }

    /**
     * As {@code until}, for a condition that holds within moments and must be noticed with little delay. The thread
     * that establishes it may need this processor.
     */
    public static void soon(String what, BooleanSupplier condition) {
        for (int looks = 0; looks < 10_000; looks++) {
            if (condition.getAsBoolean()) {
                return;
            }
            Thread.onSpinWait();
        }
        until(what, condition);
    }

    /** Waits until the thread is waiting or has ended. */
    public static void untilBlocked(Thread thread) {
        until(thread + " waits", () -> switch (thread.getState()) {
            case WAITING, TIMED_WAITING, TERMINATED -> true;
            default -> false;
        });
    }
}
