package io.fibry;

import io.fibry.dispatch.Control;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The messages of an actor whose mailbox has a limit or a priority. They wait here; the actor's {@link Mailbox} carries only
 * wake-ups.
 *
 * <p><b>No message is missed.</b> Invariant: while there is a message, a wake-up is pending, or the consumer has yet to poll the
 * room again. A sender that adds a message while {@code awake} is clear sets it, and then sends a wake-up. The consumer clears it
 * when it finds the room empty; the look and the change are under one lock. If a message is added before that, the poll finds it.
 * If a message is added after that, its sender finds {@code awake} clear and sends a wake-up.
 *
 * <p><b>No message is accepted after the close.</b> The close is under the same lock, and comes before the close of the mailbox.
 * If the closed mailbox then refuses a wake-up, nothing is lost: the consumer of a closed mailbox polls the room anyway.
 *
 * <p><b>Senders that wait for room</b> are told by the consumer. It signals one of those that wait by a thread for each message that it
 * takes, under the lock. Such a sender looks again under the lock, and waits again if another one has been faster: with the next message
 * somebody is signalled again. Those that wait by a future are told after that, as {@link RoomFutures} describes; a room that is not full
 * has none of them.
 *
 * <p><b>A consumer that holds the room</b> leaves its messages there; see {@link ActorContext#hold}. It releases the room in a turn,
 * and polls it in the same turn or in the next one, which follows at once. That is the poll of the invariant above, so a release
 * needs no wake-up.
 */
final class WaitingRoom {

    /** The result of adding a message. */
    enum Outcome {
        ACCEPTED,
        /** Accepted, and the caller has to send a wake-up to the mailbox. */
        ACCEPTED_WAKE,
        FULL,
        CLOSED
    }

    private final ReentrantLock lock = new ReentrantLock();
    private final MailboxSpec spec;

    private final MessageQueue messages; // guarded by the lock, as are the next three
    private @Nullable Condition room; // made by the first sender who waits for room
    private volatile @Nullable RoomFutures futures; // made under the lock for the first one that waits by a future
    private boolean awake;
    private volatile boolean closed;

    /** Written under the lock, read by any thread. */
    private volatile int size;

    private int signals; // under the lock; how often all senders have been woken, for those in a test
    private volatile boolean held; // written by the consumer only
    private volatile boolean everHeld;

    WaitingRoom(MailboxSpec spec) {
        this.spec = spec;
        messages = spec.newQueue();
    }

    /** Adds a message if there is room. */
    Outcome tryAdd(Envelope envelope) {
        lock.lock();
        try {
            if (closed) {
                return Outcome.CLOSED;
            }
            return isFull() ? Outcome.FULL : added(envelope);
        } finally {
            lock.unlock();
        }
    }

    /** Adds all messages, without another one between them, if there is room for all; else none. */
    Outcome tryAddAll(List<Envelope> group) {
        lock.lock();
        try {
            if (closed) {
                return Outcome.CLOSED;
            }
            return group.size() > spec.capacity() - size ? Outcome.FULL : addedAll(group);
        } finally {
            lock.unlock();
        }
    }

    /** As {@link #tryAddAll}, but makes room: removes the oldest messages, and passes them to {@code dropped}, outside the lock. */
    Outcome addAllDroppingOldest(List<Envelope> group, Consumer<Envelope> dropped) {
        List<Envelope> oldest = new ArrayList<>();
        Outcome outcome;
        lock.lock();
        try {
            if (closed) {
                return Outcome.CLOSED;
            }
            for (int excess = group.size() - (spec.capacity() - size); excess > 0; excess--) {
                oldest.add(Objects.requireNonNull(messages.poll()));
            }
            outcome = addedAll(group);
        } finally {
            lock.unlock();
        }
        oldest.forEach(dropped);
        return outcome;
    }

    /** If the comparator of the mailbox fails at one of them, none is added, and the sender gets what it threw. */
    private Outcome addedAll(List<Envelope> group) {
        int added = 0;
        try {
            for (Envelope envelope : group) {
                messages.add(envelope);
                added++;
            }
        } finally {
            if (added < group.size()) {
                group.subList(0, added).forEach(messages::remove);
            }
        }
        return counted();
    }

    /**
     * Adds a message without regard to the limit. Returns false if closed; otherwise the caller has to send a wake-up to the
     * mailbox.
     */
    boolean addInAnyCase(Envelope envelope) {
        lock.lock();
        try {
            return !closed && added(envelope) != Outcome.CLOSED;
        } finally {
            lock.unlock();
        }
    }

    /** Adds a message. If the room is full, the oldest message is removed and passed to {@code dropped}, outside the lock. */
    Outcome addDroppingOldest(Envelope envelope, Consumer<Envelope> dropped) {
        Envelope oldest = null;
        Outcome outcome;
        lock.lock();
        try {
            if (closed) {
                return Outcome.CLOSED;
            }
            if (isFull()) {
                oldest = messages.poll();
            }
            outcome = added(envelope);
        } finally {
            lock.unlock();
        }
        if (oldest != null) {
            dropped.accept(oldest);
        }
        return outcome;
    }

    /** What a sender does before each wait for room, and after the last one. Both under the lock of the room. */
    interface Wait {
        /** An exception ends the wait. */
        void begins();

        void ends();
    }

    /** Adds a message, after a wait if there is no room. Returns FULL if its ask is given up. */
    Outcome addOrWait(Envelope envelope, Wait wait) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            awaitRoom(envelope, wait);
            if (envelope.isGivenUp()) {
                signalOne(); // this sender may have taken the signal that was meant for another one
                return Outcome.FULL;
            }
            return closed ? Outcome.CLOSED : added(envelope);
        } finally {
            lock.unlock();
        }
    }

    private void awaitRoom(Envelope envelope, Wait wait) throws InterruptedException {
        try {
            while (isFull() && !closed && !envelope.isGivenUp()) {
                wait.begins();
                if (room == null) {
                    room = lock.newCondition();
                }
                awaitSignal(room, envelope);
            }
        } finally {
            wait.ends();
        }
    }

    @SuppressWarnings("WaitNotInLoop") // the caller has the loop
    private void awaitSignal(Condition signal, Envelope envelope) throws InterruptedException {
        Control control = Control.ofCurrentThread();
        if (control == null) {
            signal.await();
            return;
        }
        int seen = signals;
        control.awaitUnlocked(
                lock, () -> signals != seen || !isFull() || closed || envelope.isGivenUp(), "room in a full mailbox");
    }

    /** Wakes the senders that wait for room, so that they check whether their ask is given up. */
    void lookAgain() {
        lock.lock();
        try {
            wakeAll();
        } finally {
            lock.unlock();
        }
    }

    /** A future for {@link Actor#room}; null if the room has been closed. */
    @Nullable
    CompletableFuture<@Nullable Void> awaitRoom() {
        lock.lock();
        try {
            if (closed) {
                return null;
            }
            if (!isFull() || spec.overflow().drops()) {
                return CompletableFuture.completedFuture(null);
            }
            RoomFutures f = futures;
            if (f == null) {
                f = new RoomFutures(lock, () -> !isFull() && !closed);
                futures = f;
            }
            return f.add();
        } finally {
            lock.unlock();
        }
    }

    /** Null if nobody has ever waited by one. Read by the consumer after it has had the lock, so it misses none. */
    @Nullable
    RoomFutures futures() {
        return futures;
    }

    /** The next message. If null, the room is held, or the next message to arrive sends a wake-up. Consumer only. */
    @Nullable
    Envelope poll() {
        if (held) {
            return null;
        }
        Envelope next;
        lock.lock();
        try {
            next = messages.poll();
            if (next == null) {
                awake = false;
            } else {
                removed();
            }
        } finally {
            lock.unlock();
        }
        RoomFutures.passRoomOn(futures);
        return next;
    }

    /** Leaves the messages here until {@link #release}. Consumer only. */
    void hold() {
        held = true;
        if (!everHeld) {
            everHeld = true;
            lookAgain(); // those who must not wait from now on
        }
    }

    /** Consumer only, before it polls again. Returns whether the room was held. */
    boolean release() {
        boolean was = held;
        held = false;
        return was;
    }

    boolean isHeld() {
        return held;
    }

    /** Whether the consumer has ever held the room. */
    boolean mayBeHeld() {
        return everHeld;
    }

    /** The first message that matches, or null. The next message that arrives sends a wake-up. Consumer only. */
    @Nullable
    Envelope poll(Predicate<Envelope> wanted) {
        List<Envelope> waiting = new ArrayList<>();
        lock.lock();
        try {
            awake = false;
            messages.forEach(waiting::add);
        } finally {
            lock.unlock();
        }
        for (Envelope envelope : waiting) { // without the lock: the predicate is user code
            if (wanted.test(envelope) && remove(envelope)) {
                return envelope;
            }
        }
        return null;
    }

    private boolean remove(Envelope envelope) {
        boolean there;
        lock.lock();
        try {
            there = messages.remove(envelope);
            removed();
        } finally {
            lock.unlock();
        }
        RoomFutures.passRoomOn(futures);
        return there;
    }

    /** Passes all waiting messages to the action, under the lock. */
    void forEach(Consumer<Envelope> action) {
        lock.lock();
        try {
            messages.forEach(action);
        } finally {
            lock.unlock();
        }
    }

    /** Refuses messages from now on, and wakes the senders that wait for room. */
    void close() {
        lock.lock();
        try {
            closed = true;
            wakeAll();
        } finally {
            lock.unlock();
        }
    }

    /** The number of accepted messages whose handling has not begun. */
    int size() {
        return size;
    }

    boolean isFull() {
        return size >= spec.capacity();
    }

    /** Whether senders wait here. */
    boolean holdsSenders() {
        return isFull() && !closed;
    }

    MailboxSpec spec() {
        return spec;
    }

    /** After the removal of a message: one sender may have its room. Under the lock. */
    private void removed() {
        size = messages.size();
        signalOne();
    }

    private void signalOne() {
        if (room != null) {
            room.signal();
        }
    }

    private void wakeAll() {
        signals++;
        if (room != null) {
            room.signalAll();
        }
    }

    private Outcome added(Envelope envelope) {
        messages.add(envelope);
        return counted();
    }

    /** After messages have been added. */
    private Outcome counted() {
        size = messages.size();
        boolean wake = !awake;
        awake = true;
        return wake ? Outcome.ACCEPTED_WAKE : Outcome.ACCEPTED;
    }
}
