package io.fibry.kernel;

import io.fibry.dispatch.Alarm;
import io.fibry.dispatch.Time;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The threads that wait for room in a full {@link BoundedMailbox}. The methods are called under its lock.
 *
 * <p><b>Few wake-ups.</b> A thread that is woken for each message that the consumer takes adds one message and waits
 * again: a hand-over between processors for each message. While the mailbox is more than half full, the consumer has
 * enough work, so threads are woken at most every {@value #INTERVAL_MICROS} µs.
 *
 * <p><b>No thread waits while there is room</b>, except for about a millisecond. A consumer that takes a message and
 * wakes nobody starts the alarm, which wakes a thread for each free place. This matters if the handler of that message
 * runs for long, or waits for one of these threads.
 */
final class WaitingSenders extends Alarm {

    private static final int INTERVAL_MICROS = 200;
    private static final long INTERVAL = TimeUnit.MICROSECONDS.toNanos(INTERVAL_MICROS);
    private static final long DELAY = TimeUnit.MILLISECONDS.toNanos(1);

    private final ReentrantLock lock;
    private final Condition signal;
    private final int capacity;
    private int waiting;
    private int size; // of the mailbox, after the last message that was taken
    private long signalledAt;
    private boolean isStarted;

    WaitingSenders(ReentrantLock lock, int capacity) {
        this.lock = lock;
        this.capacity = capacity;
        signal = lock.newCondition();
        signalledAt = Time.nanos();
    }

    @SuppressWarnings("WaitNotInLoop") // the caller has the loop
    void await() throws InterruptedException {
        waiting++;
        try {
            signal.await();
        } finally {
            waiting--;
        }
    }

    /** Called after the consumer has taken a message, with the new size of the mailbox. */
    void messageTaken(int newSize) {
        size = newSize;
        if (waiting == 0) {
            return;
        }
        long now = Time.nanos();
        if (size <= capacity / 2 || now - signalledAt >= INTERVAL) {
            signalledAt = now;
            signal.signal();
        } else if (!isStarted) {
            isStarted = true;
            startAt(now + DELAY, true);
        }
    }

    /** Called by a thread that was woken, and adds no message. */
    void signalNext() {
        signal.signal();
    }

    void signalAll() {
        signal.signalAll();
    }

    /** Runs on the timer thread, which must not wait for the lock. */
    @Override
    public void fire() {
        if (!lock.tryLock()) {
            startAt(Time.nanos() + DELAY, true);
            return;
        }
        try {
            isStarted = false;
            int places = Math.min(capacity - size, waiting);
            for (int i = 0; i < places; i++) {
                signal.signal();
            }
        } finally {
            lock.unlock();
        }
    }
}
