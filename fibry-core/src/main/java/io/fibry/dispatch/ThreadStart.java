package io.fibry.dispatch;

import java.util.concurrent.TimeUnit;

/**
 * The start of a virtual thread, as seen by the starter and by the thread itself. If memory runs out after the JDK has
 * submitted the thread to its scheduler, the start fails, but the thread runs. The JDK marks it as terminated, and
 * drops it if it has yielded or parked in the meantime. Such a thread must not hold an actor.
 *
 * <p>Before its first step, the thread therefore waits until the starter has recorded the outcome, which the starter
 * does immediately after the start. If the JDK drops the thread while it waits, nothing is lost. The wait throws
 * nothing, also if memory runs out: a worker would end with the spare flag set.
 */
final class ThreadStart {

    enum Outcome {
        PENDING,
        SUCCESS,
        FAILURE
    }

    private static final int LOOKS_BEFORE_YIELD = 64;

    private volatile Outcome outcome = Outcome.PENDING;

    /** Called by the starter, also after an error. */
    void end(boolean succeeded) {
        outcome = succeeded ? Outcome.SUCCESS : Outcome.FAILURE;
    }

    /** Waits for the outcome. Returns false if the start has failed: the thread must end then. Called by the thread. */
    boolean succeeds() {
        return await(Long.MAX_VALUE) == Outcome.SUCCESS;
    }

    /** As {@link #succeeds}, with a limit, for a starter that may itself wait for the thread. */
    Outcome await(long millis) {
        long start = outcome == Outcome.PENDING ? System.nanoTime() : 0;
        for (int looks = 1; outcome == Outcome.PENDING; looks++) {
            if (looks % LOOKS_BEFORE_YIELD != 0) {
                Thread.onSpinWait();
            } else if (TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start) < millis) {
                OutOfMemory.yieldOrSpin(); // the starter may need this carrier thread
            } else {
                return Outcome.PENDING;
            }
        }
        return outcome;
    }
}
