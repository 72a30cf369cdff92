package io.fibry.dispatch;

import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The worker of a scheduler, at most one, that has run out of work and is parked until the next spare is needed. An
 * unpark costs less than the start of a thread, and a started thread also has to wait for the outcome of its start. The
 * kept worker holds neither an actor nor the spare flag, and is not registered as a worker, so the scheduler may be
 * quiescent. The {@link WorkerWatch} ends it when the scheduler has been idle for some time.
 *
 * <p><b>No spare is lost, and none exists twice.</b> The worker publishes itself here, and parks until its
 * {@link Worker#handOver} changes. A thread that removes it from here is the only one that wakes it up. To make it the
 * spare, the thread holds the spare flag, offers it by a write of {@link #SPARE}, and unparks the worker, which accepts
 * it by a compare-and-set from {@link #SPARE} to {@link #NONE}. If the unpark fails because memory is exhausted, the
 * JDK may or may not run the worker later. The waking thread then withdraws the offer by a compare-and-set from
 * {@link #SPARE} to {@link #END}. Exactly one of the two succeeds, and decides which thread holds the flag.
 *
 * <p><b>No wake-up is lost.</b> The offer precedes the unpark, and the worker reads it after each return of the park.
 */
class KeptWorker {

    /** No thread has removed the worker, or the worker has accepted the offer. */
    static final int NONE = 0;

    /** The worker is to be the spare. */
    static final int SPARE = 1;

    /** The worker has to end. */
    static final int END = 2;

    private static final AtomicIntegerFieldUpdater<Worker> HAND_OVER =
            AtomicIntegerFieldUpdater.newUpdater(Worker.class, "handOver");

    private final AtomicReference<@Nullable Worker> kept = new AtomicReference<>();

    boolean isNone() {
        return kept.get() == null;
    }

    /** Keeps the worker, which parks next. Called by the worker. Returns false if another worker is kept. */
    boolean publish(Worker worker) {
        return kept.get() == null && kept.compareAndSet(null, worker);
    }

    /** Parks the published worker. Called by the worker. Returns whether it is the spare; otherwise it ends. */
    boolean await(Worker worker) {
        while (worker.handOver == NONE) {
            try {
                LockSupport.park(this);
            } catch (OutOfMemoryError e) {
                OutOfMemory.note();
                if (kept.compareAndSet(worker, null)) {
                    return false;
                }
            }
            Thread.interrupted(); // an interrupted thread does not park
        }
        return HAND_OVER.compareAndSet(worker, SPARE, NONE);
    }

    /** Makes the kept worker the spare. Called by the holder of the spare flag. Returns false if there is no worker. */
    boolean wake() {
        Worker worker = take();
        if (worker == null) {
            return false;
        }
        worker.handOver = SPARE;
        return unparks(worker) || !HAND_OVER.compareAndSet(worker, SPARE, END);
    }

    /** Ends the kept worker, if there is one. */
    void end() {
        Worker worker = take();
        if (worker != null) {
            worker.handOver = END;
            boolean unused = unparks(worker); // without the unpark, the JDK has lost the thread
        }
    }

    private @Nullable Worker take() {
        return kept.get() == null ? null : kept.getAndSet(null);
    }

    private boolean unparks(Worker worker) {
        try {
            unpark(worker);
            return true;
        } catch (OutOfMemoryError | RejectedExecutionException e) {
            OutOfMemory.note();
            return false;
        }
    }

    /** Tests replace it by one that fails. */
    void unpark(Worker worker) {
        worker.unpark();
    }
}
