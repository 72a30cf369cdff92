package io.fibry.generator;

import io.fibry.dispatch.Control;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A bounded single-producer, single-consumer queue whose sides block while it is full or empty.
 *
 * <p><b>Hand-over.</b> The producer writes a slot and then its count; the consumer clears a slot and then writes its
 * count. Both counts are volatile, and each is written by one side only. A side that reads the other count therefore
 * sees the slots that it covers.
 *
 * <p><b>No wake-up is lost.</b> Before it parks, a side writes its thread to {@code waiting} and then reads the count
 * of the other side. The other side writes its count and then reads {@code waiting}. All four accesses are volatile and
 * totally ordered: either the first side sees the new count, or the other side sees the thread and unparks it. The end
 * is announced in the same way, with {@code ended} in place of the count.
 *
 * <p>A parked producer is unparked only when half of the buffer is free; otherwise a fast producer would park and
 * unpark for each value. Either the reader reaches this point, or it stops reading and the producer must wait anyway.
 * Each side spins briefly before it parks, with a pause between the checks. Without the pauses it would transfer one
 * value, and one cache line, per check.
 */
final class Ring<T> {

    private static final int LOOKS = 4;
    private static final int SPINS = 1 << 5;

    /**
     * The state of one side. The other side reads the count, and clears {@code waiting} when it unparks the thread.
     * Padded against false sharing, because both sides write frequently.
     */
    @SuppressWarnings("unused") // the padding
    private static final class Side {
        private long p1, p2, p3, p4, p5, p6, p7;
        volatile long count; // of values put, or taken
        int index; // of the next slot
        long seen; // the last count read from the other side
        volatile @Nullable Thread waiting;
        private long q1, q2, q3, q4, q5, q6, q7;

        void wake() {
            Thread thread = waiting;
            if (thread != null) {
                waiting = null; // before the unpark, or it might clear the next wait
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

    /** Adds a value. Blocks while the buffer is full. */
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

    /** Announces the end. Called by the producer, or after its end. */
    void end() {
        ended = true;
        consumer.wake();
    }

    /** Returns the next value, blocking until there is one; null after the end. */
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

    /** Whether this side can proceed. Reads {@code ended} first, which makes every value put before the end visible. */
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
