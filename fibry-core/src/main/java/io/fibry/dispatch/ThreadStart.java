package io.fibry.dispatch;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The start of a virtual thread, as seen by the starter and by the thread itself. If memory runs out after the JDK has
 * submitted the thread to its scheduler, the start fails, but the thread runs. The JDK marks it as terminated, and
 * drops it if it has yielded or parked in the meantime. Such a thread must not hold an actor.
 *
 * <p>Before its first step, the thread therefore waits until the starter has recorded the outcome, which the starter
 * does immediately after the start. If the JDK drops the thread while it waits, nothing is lost. The wait throws
 * nothing, also if memory runs out: a worker would end with the spare flag set.
 *
 * <p>A thread that has nothing to do need not wait: it {@linkplain #leave leaves}. The starter and the thread agree on
 * this by a compare-and-set of the outcome, so the starter knows whether the thread has left.
 *
 * <p>A worker parks rather than yields: if the starter is a virtual thread that has parked, and there is one carrier
 * thread, a loop of yields starves the starter. No wake-up is lost: the thread publishes itself and then reads the
 * outcome; the starter publishes the outcome and then reads the thread.
 */
final class ThreadStart {

    enum Outcome {
        PENDING,
        SUCCESS,
        FAILURE,
        LEFT
    }

    private static final int LOOKS = 64;

    private static final VarHandle OUTCOME;

    static {
        try {
            OUTCOME = MethodHandles.lookup().findVarHandle(ThreadStart.class, "outcome", Outcome.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
        link();
    }

    private volatile Outcome outcome = Outcome.PENDING;
    private volatile @Nullable Thread waiting;

    /** Executes the access to the outcome once. The first execution needs memory, which may be exhausted later. */
    private static void link() {
        boolean unused = new ThreadStart().leave();
        unused = new ThreadStart().end(true);
    }

    /** Called by the starter, also after an error. Returns false if the thread has left. */
    boolean end(boolean succeeded) {
        if (!OUTCOME.compareAndSet(this, Outcome.PENDING, succeeded ? Outcome.SUCCESS : Outcome.FAILURE)) {
            return false;
        }
        LockSupport.unpark(waiting);
        return true;
    }

    /**
     * Ends the wait of a thread that has nothing to do. Returns false if the outcome is known. Otherwise the thread
     * must end, and must neither park nor yield before. Called by the thread.
     */
    boolean leave() {
        return OUTCOME.compareAndSet(this, Outcome.PENDING, Outcome.LEFT);
    }

    /** Waits for the outcome. Returns false if the start has failed: the thread must end then. Called by the thread. */
    boolean succeeds() {
        for (int looks = 0; outcome == Outcome.PENDING && looks < LOOKS; looks++) {
            Thread.onSpinWait();
        }
        if (outcome == Outcome.PENDING) {
            waiting = Thread.currentThread();
            while (outcome == Outcome.PENDING) {
                park();
            }
        }
        return outcome == Outcome.SUCCESS;
    }

    private void park() {
        try {
            LockSupport.park(this);
        } catch (OutOfMemoryError e) {
            OutOfMemory.note();
        }
    }

    /**
     * Waits at most for this time, for a starter that may itself wait for the thread. Yields, since the end of a timed
     * park may be lost if memory runs out.
     */
    Outcome await(long millis) {
        long start = outcome == Outcome.PENDING ? System.nanoTime() : 0;
        for (int looks = 1; outcome == Outcome.PENDING; looks++) {
            if (looks % LOOKS != 0) {
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
