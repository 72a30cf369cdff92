package io.fibry.kernel;

import io.fibry.dispatch.Alarm;
import io.fibry.dispatch.Time;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.function.BooleanSupplier;

/**
 * The threads that wait for a place in a {@link Room}. Except as noted, the methods are called under its lock.
 *
 * <p><b>Few wake-ups.</b> A thread that is woken for each message that the consumer takes adds one message and waits
 * again: a hand-over between processors for each message. While the mailbox is more than half full, the consumer has
 * enough work, so it wakes a thread at most every {@value #INTERVAL_MICROS} µs. When the mailbox is half empty, it
 * wakes a thread for each place that has been freed since the last time.
 *
 * <p><b>No thread waits while there is room</b>, except for about a millisecond. A consumer that takes a message and
 * wakes nobody starts the alarm, which wakes a thread for each free place. This matters if the handler of that message
 * runs for long, or waits for one of these threads.
 */
final class WaitingSenders extends Alarm {

    private static final int INTERVAL_MICROS = 200;
    private static final long INTERVAL = TimeUnit.MICROSECONDS.toNanos(INTERVAL_MICROS);
    private static final long DELAY = TimeUnit.MILLISECONDS.toNanos(1);

    private final Room room;
    private final Condition signal;

    /** Whether a thread waits without a signal. Written under the lock. */
    private volatile boolean waits;

    private volatile boolean isStarted; // written under the lock
    private int freedAtSignal; // the value of Room.freed at the last signal of a mailbox that was half empty
    private long signalledAt; // while the mailbox was more than half full

    WaitingSenders(Room room) {
        this.room = room;
        signal = room.lock.newCondition();
        freedAtSignal = room.freed();
        signalledAt = Time.nanos();
    }

    /** Waits for a signal, if the condition holds. The caller checks it again afterwards. */
    @SuppressWarnings("WaitNotInLoop") // the caller has the loop
    void awaitIf(BooleanSupplier condition) throws InterruptedException {
        waits = true; // before the check: see Room
        try {
            if (condition.getAsBoolean()) {
                signal.await();
            }
        } finally {
            update();
        }
    }

    private void update() {
        waits = room.lock.hasWaiters(signal);
    }

    /** Whether {@link #signalOrStart} has an effect after a message has been taken. Without the lock. */
    boolean needsSignal() {
        return waits && (isHalfEmpty() || !isStarted);
    }

    /** Wakes threads if the mailbox is half empty; otherwise starts the alarm. */
    void signalOrStart() {
        if (isHalfEmpty()) {
            int freed = room.freed();
            signal(Math.min(room.capacity() - room.size(), freed - freedAtSignal));
            freedAtSignal = freed;
        } else if (waits && !isStarted) {
            long now = Time.nanos();
            if (now - signalledAt >= INTERVAL) {
                signalledAt = now;
                signal(1);
            } else {
                isStarted = true;
                startAt(now + DELAY, true);
            }
        }
    }

    private boolean isHalfEmpty() {
        return room.size() <= room.capacity() / 2;
    }

    /** Wakes up to this number of threads, in FIFO order. */
    void signal(int most) {
        for (int i = 0; i < most && room.lock.hasWaiters(signal); i++) {
            signal.signal();
        }
        update();
    }

    /** Runs on the timer thread, which must not wait for the lock. */
    @Override
    public void fire() {
        if (!room.lock.tryLock()) {
            startAt(Time.nanos() + DELAY, true);
            return;
        }
        try {
            isStarted = false;
            signal(room.capacity() - room.size());
        } finally {
            room.lock.unlock();
        }
    }
}
