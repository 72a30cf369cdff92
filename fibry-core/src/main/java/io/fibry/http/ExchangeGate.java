package io.fibry.http;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Counts the exchanges in work, lets no more in when there are too many or once it is closed, and tells when the last one has left. One word holds the
 * count and, as its sign, whether the gate is closed, so that none slips in after the last has left.
 */
final class ExchangeGate {

    private static final int CLOSED = Integer.MIN_VALUE;

    private final AtomicInteger state = new AtomicInteger();
    private final CountDownLatch empty = new CountDownLatch(1);
    private final int room;

    ExchangeGate(int room) {
        this.room = room;
    }

    /** False if the gate is closed, or all the room taken; else the caller has to {@link #leave}. */
    boolean enter() {
        while (true) {
            int seen = state.get();
            if (seen < 0 || seen >= room) {
                return false;
            }
            if (state.compareAndSet(seen, seen + 1)) {
                return true;
            }
        }
    }

    void leave() {
        if (state.decrementAndGet() == CLOSED) {
            empty.countDown();
        }
    }

    void close() {
        if ((state.getAndUpdate(seen -> seen | CLOSED) & ~CLOSED) == 0) {
            empty.countDown();
        }
    }

    /** Closes the gate, and has the waiter go on without those who are inside. */
    void abandon() {
        close();
        empty.countDown();
    }

    boolean isClosed() {
        return state.get() < 0;
    }

    /** Waits until the gate is closed and nobody is inside, or until it is abandoned; false if that takes longer. */
    boolean awaitEmpty(long millis) throws InterruptedException {
        return empty.await(millis, TimeUnit.MILLISECONDS);
    }
}
