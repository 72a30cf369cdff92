package io.fibry.generator;

import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A bounded queue for one producer and one consumer, each of which may wait for the other.
 *
 * <p><b>Hand-over.</b> The producer writes a slot and then {@code put}, the consumer clears a slot and then writes {@code taken}. Both
 * counters are volatile, and each is written by one side only. So who reads a counter sees the slots that it counts.
 *
 * <p><b>No wake-up is lost.</b> Who is about to wait writes its thread, then reads the counter of the other side, and parks
 * if there is still nothing to do. The other side writes its counter, then reads the thread. All four accesses are volatile, so they
 * have one order: either the waiting side sees the new counter, or the other side sees the thread and unparks it. The end is
 * announced in the same way, by {@code ended} in place of the counter.
 *
 * <p>A producer that waits is woken when half of the room is free, and not before: otherwise a fast producer would park and wake for
 * each value. The reader gets there, or reads no more; then the producer has to wait anyway. Each side looks again a few times
 * before it parks.
 */
final class Ring<T> {

    private static final int LOOKS = 1 << 6;

    private final @Nullable Object[] slots;
    private final int wakeAt;

    // The producer's
    private volatile long put;
    private int putIndex;
    private long takenSeen;
    private volatile @Nullable Thread waitingProducer;
    private volatile boolean ended;

    // The consumer's
    private volatile long taken;
    private int takeIndex;
    private long putSeen;
    private volatile @Nullable Thread waitingConsumer;

    Ring(int capacity) {
        slots = new @Nullable Object[capacity];
        wakeAt = capacity / 2;
    }

    /** Adds a value. Waits while there is no room. */
    void put(T value) throws InterruptedException {
        long next = put;
        if (next - takenSeen == slots.length) {
            awaitRoom(next);
        }
        slots[putIndex] = value;
        putIndex = following(putIndex);
        put = next + 1;
        wakeConsumer();
    }

    private int following(int index) {
        return index + 1 == slots.length ? 0 : index + 1;
    }

    private void awaitRoom(long next) throws InterruptedException {
        for (int looks = 0; !hasRoom(next); looks++) {
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
            if (looks < LOOKS) {
                Thread.onSpinWait();
            } else if (looks == LOOKS) {
                Thread.yield();
            } else {
                waitingProducer = Thread.currentThread();
                if (!hasRoom(next)) {
                    LockSupport.park(this);
                }
                waitingProducer = null;
            }
        }
    }

    private boolean hasRoom(long next) {
        takenSeen = taken;
        return next - takenSeen < slots.length;
    }

    /** No more values come. By the producer, or when there is no producer any more. */
    void end() {
        ended = true;
        wakeConsumer();
    }

    private void wakeConsumer() {
        Thread consumer = waitingConsumer;
        if (consumer != null) {
            waitingConsumer = null; // first, or it might undo the next wait
            LockSupport.unpark(consumer);
        }
    }

    /** The next value. Waits for it; null if no more come. */
    @Nullable
    T take() throws InterruptedException {
        long next = taken;
        if (next == putSeen && !awaitValue(next)) {
            return null;
        }
        @SuppressWarnings("unchecked") // only values are put into the slots
        T value = (T) slots[takeIndex];
        slots[takeIndex] = null;
        takeIndex = following(takeIndex);
        taken = next + 1;
        Thread producer = waitingProducer;
        if (producer != null && put - next - 1 <= wakeAt) {
            waitingProducer = null; // as above
            LockSupport.unpark(producer);
        }
        return value;
    }

    private boolean awaitValue(long next) throws InterruptedException {
        for (int looks = 0; !hasValue(next); looks++) {
            if (ended) {
                return hasValue(next); // what was put before the end
            }
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
            if (looks < LOOKS) {
                Thread.onSpinWait();
            } else if (looks == LOOKS) {
                Thread.yield();
            } else {
                waitingConsumer = Thread.currentThread();
                if (!hasValue(next) && !ended) {
                    LockSupport.park(this);
                }
                waitingConsumer = null;
            }
        }
        return true;
    }

    private boolean hasValue(long next) {
        putSeen = put;
        return putSeen != next;
    }
}
