package io.fibry.generator;

import io.fibry.dispatch.Control;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A bounded queue for one producer and one consumer, each of which may wait for the other.
 *
 * <p><b>Hand-over.</b> The producer writes a slot and then its count, the consumer clears a slot and then writes its own. Both
 * counts are volatile, and each is written by one side only. So who reads a count sees the slots that it counts.
 *
 * <p><b>No wake-up is lost.</b> Who is about to wait writes its thread, then reads the count of the other side, and parks
 * if there is still nothing to do. The other side writes its count, then reads the thread. All four accesses are volatile, so they
 * have one order: either the waiting side sees the new count, or the other side sees the thread and unparks it. The end is
 * announced in the same way, by {@code ended} in place of the count.
 *
 * <p>A producer that waits is woken when half of the room is free, and not before: otherwise a fast producer would park and wake for
 * each value. The reader gets there, or reads no more; then the producer has to wait anyway. Each side looks again a few times
 * before it parks, with a short pause between the looks. Without the pauses, it would find one value at a time,
 * and fetch its cache line from the other processor each time.
 */
final class Ring<T> {

    private static final int LOOKS = 4;
    private static final int SPINS = 1 << 5;

    /**
     * What belongs to one side. The other side reads the count, and clears {@code waiting} when it wakes the thread. Padded, since
     * both sides write to their own all the time, and so must not share a cache line.
     */
    @SuppressWarnings("unused") // the padding
    private static final class Side {
        private long p1, p2, p3, p4, p5, p6, p7;
        volatile long count; // of values put, or taken
        int index; // of the next slot
        long seen; // the count of the other side, as seen last
        volatile @Nullable Thread waiting;
        private long q1, q2, q3, q4, q5, q6, q7;

        void wake() {
            Thread thread = waiting;
            if (thread != null) {
                waiting = null; // first, or it might undo the next wait
                LockSupport.unpark(thread);
            }
        }
    }

    private final @Nullable Object[] slots;
    private final int wakeAt;
    private final Side producer = new Side();
    private final Side consumer = new Side();
    private volatile boolean ended;

    Ring(int capacity) {
        slots = new @Nullable Object[capacity];
        wakeAt = capacity / 2;
    }

    /** Adds a value. Waits while there is no room. */
    void put(T value) throws InterruptedException {
        long next = producer.count;
        if (next - producer.seen == slots.length) {
            await(producer);
        }
        slots[producer.index] = value;
        producer.index = following(producer.index);
        producer.count = next + 1;
        consumer.wake();
    }

    private int following(int index) {
        return index + 1 == slots.length ? 0 : index + 1;
    }

    /** No more values come. By the producer, or when there is no producer any more. */
    void end() {
        ended = true;
        consumer.wake();
    }

    /** The next value. Waits for it; null if no more come. */
    @Nullable
    T take() throws InterruptedException {
        long next = consumer.count;
        if (next == consumer.seen) {
            await(consumer);
            if (next == consumer.seen) {
                return null;
            }
        }
        int index = consumer.index;
        @SuppressWarnings("unchecked") // only values are put into the slots
        T value = (T) slots[index];
        slots[index] = null;
        consumer.index = following(index);
        consumer.count = next + 1;
        if (producer.waiting != null && producer.count - next - 1 <= wakeAt) {
            producer.wake();
        }
        return value;
    }

    private void await(Side side) throws InterruptedException {
        Control control = Control.ofCurrentThread();
        if (control != null) {
            control.await(
                    () -> canGoOn(side), Control.FOREVER, true, side == producer ? "a reader" : "a generator's value");
        }
        for (int looks = 0; !canGoOn(side); looks++) {
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
            if (looks < LOOKS) {
                for (int i = 0; i < SPINS; i++) {
                    Thread.onSpinWait();
                }
            } else if (looks == LOOKS) {
                Thread.yield();
            } else {
                side.waiting = Thread.currentThread();
                if (!canGoOn(side)) {
                    LockSupport.park(this);
                }
                side.waiting = null;
            }
        }
    }

    /** Whether there is room, or a value or the end. Reads the end first: what was put before it is seen then. */
    private boolean canGoOn(Side side) {
        if (side == producer) {
            side.seen = consumer.count;
            return side.count - side.seen < slots.length;
        }
        boolean last = ended;
        side.seen = producer.count;
        return last || side.count != side.seen;
    }
}
