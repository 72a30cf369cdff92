package io.fibry.dispatch;

import java.util.concurrent.atomic.AtomicLong;

/**
 * The time until which the {@link TimerThread} may park, and whether another thread has already unparked it.
 *
 * <p><b>No alarm is missed.</b> A thread that pushes an alarm calls {@link #wakeBy} <em>after</em> the push. The
 * timer's thread calls {@link #raise} <em>before</em> it takes the stack, and then only {@linkplain #lower lowers} the
 * time. All accesses are volatile, so there are two interleavings:
 *
 * <ul>
 *   <li>The push precedes the raise. The timer's thread then takes the alarm from the stack before it parks.
 *   <li>The raise precedes the push, and thus the read that follows the push. The value read is the raised or a lowered
 *       one. If the alarm has to be taken before that time, the timer's thread is unparked; otherwise it wakes up by
 *       itself in time. A compare-and-set that fails, because the time has been lowered meanwhile, is repeated with the
 *       new value: the alarm may be due before that one too.
 * </ul>
 *
 * <p>The thread that sets {@link #AWAKE} must also unpark the timer's thread, since no other thread does. It therefore
 * first requires stack for both steps.
 */
final class WakeTime {

    /** From an unpark until the next raise, so that other threads do not unpark again. */
    private static final long AWAKE = Long.MIN_VALUE;

    private final AtomicLong time = new AtomicLong(AWAKE);
    private final Runnable unpark;

    /** @param unpark unparks the timer's thread */
    WakeTime(Runnable unpark) {
        this.unpark = unpark;
    }

    /** Sets the latest time of the next wake-up. Called only by the timer's thread. */
    void raise(long latest) {
        time.set(latest);
    }

    /**
     * Sets an earlier time instead of the raised one. Returns false if another thread has unparked this thread in the
     * meantime; it must not park then, since an action or a lock may have used the permit. Called only by the timer's
     * thread.
     */
    boolean lower(long raised, long until) {
        return time.compareAndSet(raised, until);
    }

    /**
     * Unparks the timer's thread unless it is awake by itself at this time. Any thread.
     *
     * @throws StackOverflowError if there is too little stack; other threads can still unpark the timer's thread
     */
    void wakeBy(long latest) {
        long seen = time.get();
        while (latest < seen) {
            StackRoom.requireForCalls();
            if (time.compareAndSet(seen, AWAKE)) {
                unpark.run();
                return;
            }
            seen = time.get();
        }
    }
}
