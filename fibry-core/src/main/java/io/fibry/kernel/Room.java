package io.fibry.kernel;

import io.fibry.dispatch.Control;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The places of a {@link BoundedMailbox}. A sender takes a place when it adds its message, and the thread that takes
 * the message frees it.
 *
 * <p><b>No sender waits while there is a free place.</b> A thread that frees a place writes the count, and then reads
 * whether threads or futures wait. A thread publishes its wait, and then reads the count; a future is published in the
 * same way. All of these accesses are volatile, so either the place is seen, or the wait. Waits begin and are ended
 * under the {@link #lock}. See {@link WaitingSenders} and {@link RoomFutures}.
 */
final class Room {

    private static final VarHandle ENTERED;

    static {
        try {
            ENTERED = MethodHandles.lookup().findVarHandle(Room.class, "entered", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** The lock of the mailbox. */
    final ReentrantLock lock = new ReentrantLock();

    private final int capacity;

    /** The number of places that have been taken. May overflow, as may the next count; only the difference matters. */
    private volatile int entered;

    /** The number of places that have been freed. Written by the consumer, or by other threads under the lock. */
    private volatile int left;

    private volatile @Nullable WaitingSenders senders; // created under the lock by the first thread that waits
    private volatile @Nullable RoomFutures futures; // created under the lock for the first future
    private int signals; // guarded by the lock: how often all senders have been woken, for threads under a control

    Room(int capacity) {
        this.capacity = capacity;
    }

    // ---- places

    /** Takes this number of places, or none if fewer are free. */
    boolean enter(int places) {
        while (true) {
            int seen = entered;
            if (places > capacity - (seen - left)) { // a place that is freed meanwhile makes no difference
                return false;
            }
            if (ENTERED.compareAndSet(this, seen, seen + places)) {
                return true;
            }
        }
    }

    /** Takes places even if none is free. */
    void enterInAnyCase(int places) {
        ENTERED.getAndAdd(this, places);
    }

    /** Returns places whose messages the closed mailbox has refused. Notifies no sender, since the close does. */
    void withdraw(int places) {
        ENTERED.getAndAdd(this, -places);
    }

    /** Frees the place of a message that has been taken. Notifies threads that wait, but completes no futures. */
    @SuppressWarnings("NonAtomicVolatileUpdate") // one writer at a time
    void leave() {
        left++;
        WaitingSenders s = senders;
        if (s != null && s.needsSignal()) {
            lock.lock();
            try {
                s.signalOrStart();
            } finally {
                lock.unlock();
            }
        }
    }

    /** The number of taken places. A snapshot. */
    int size() {
        while (true) {
            int before = left;
            int size = entered - before;
            if (left == before) { // else places have been freed, and perhaps taken again
                return size;
            }
        }
    }

    /** The number of places that have been freed. May overflow. */
    int freed() {
        return left;
    }

    int capacity() {
        return capacity;
    }

    boolean isFull() {
        return size() >= capacity;
    }

    // ---- threads that wait

    /** The callbacks of a sender before each wait for room and after the last one, both under the lock. */
    interface Waiter {
        /** An exception ends the wait. */
        void begins();

        void ends();
    }

    /** Waits while the condition holds; it is checked under the lock, which the caller holds. */
    void awaitWhile(BooleanSupplier condition, Waiter wait) throws InterruptedException {
        try {
            while (condition.getAsBoolean()) {
                wait.begins();
                awaitSignal(condition);
            }
        } finally {
            wait.ends();
        }
    }

    private void awaitSignal(BooleanSupplier condition) throws InterruptedException {
        Control control = Control.ofCurrentThread();
        if (control == null) {
            WaitingSenders s = senders;
            if (s == null) {
                s = new WaitingSenders(this);
                senders = s;
            }
            s.awaitIf(condition);
            return;
        }
        int seen = signals;
        control.awaitUnlocked(lock, () -> signals != seen || !condition.getAsBoolean(), "room in a full mailbox");
    }

    /** Called by a thread that was woken, and takes no place. Under the lock. */
    void passSignalOn() {
        WaitingSenders s = senders;
        if (s != null) {
            s.signal(1);
        }
    }

    /** Wakes all threads that wait, so that they check their condition again. */
    void wakeAll() {
        lock.lock();
        try {
            signals++;
            WaitingSenders s = senders;
            if (s != null) {
                s.signal(Integer.MAX_VALUE);
            }
        } finally {
            lock.unlock();
        }
    }

    // ---- futures that wait

    /** Returns a future that completes when there is a free place in the open mailbox. Under the lock. */
    CompletableFuture<@Nullable Void> future(BooleanSupplier hasRoom) {
        RoomFutures f = futures != null ? futures : new RoomFutures(lock, hasRoom);
        futures = f; // before the check of the count in add
        return f.add();
    }

    /** Null if none has been requested. */
    @Nullable
    RoomFutures futures() {
        return futures;
    }
}
